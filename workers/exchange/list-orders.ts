import { createRoute, z } from '@hono/zod-openapi';
import { settleBeforeRead } from '../../application/ledger/settle-before-read.ts';
import { database } from '../../data/database.ts';
import { listOrders, type OrderFilter } from '../../data/orders.ts';
import { failure } from '../middleware/api-error.ts';
import { principalOf } from '../middleware/app-env.ts';
import { notCurrent } from '../middleware/not-current.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { orderFailure } from './order-failure.ts';
import { Order, orderView } from './order-schema.ts';
import { limitQuery, pageOf, rowsToRead } from './paging.ts';

/** What each filter asks of the ledger; PENDING is whatever is not final (DESIGN 15). */
const STATUS_FILTER: Readonly<Record<'PENDING' | 'EXECUTED' | 'CANCELLED' | 'ALL', OrderFilter['status']>> = {
  PENDING: { open: true },
  EXECUTED: { final: ['filled'] },
  CANCELLED: { final: ['cancelled', 'expired'] },
  ALL: null,
};

/** GET /v1/orders. */
export function registerListOrders(exchange: Profile): void {
  registerRoute(
    exchange,
    { access: { credential: 'tenant' }, bucket: 'private' },
    createRoute({
      method: 'get',
      path: '/v1/orders',
      tags: ['orders'],
      summary: 'Orders of the caller, newest first',
      request: {
        query: z.object({
          status: z
            .enum(['PENDING', 'EXECUTED', 'CANCELLED', 'ALL'])
            .default('ALL')
            .openapi({ description: 'PENDING lists all that are not final.' }),
          assetId: z.string().optional(),
          limit: limitQuery,
          cursor: z.uuid().optional(),
        }),
      },
      responses: {
        200: {
          description: 'The orders.',
          content: { 'application/json': { schema: z.object({ data: z.array(Order), message: z.literal('ok') }) } },
        },
      },
    }),
    async (c) => {
      const { facts, owner } = principalOf(c);
      if (facts === null) return orderFailure(c, { reason: 'no_account' });
      const query = c.req.valid('query');
      if (!(await settleBeforeRead(c.env, facts.accountId))) return failure(c, notCurrent());
      const found = await listOrders(database(c.env.DB), {
        account: facts.accountId,
        owner,
        status: STATUS_FILTER[query.status],
        assetId: query.assetId ?? null,
        before: query.cursor ?? null,
        limit: rowsToRead(query.limit),
      });
      const page = pageOf(c, found, query.limit, ({ order }) => order.id);
      return c.json({ data: page.map(orderView), message: 'ok' as const }, 200);
    },
  );
}
