import { createRoute, z } from '@hono/zod-openapi';
import { settleBeforeRead } from '../../application/ledger/settle-before-read.ts';
import { listOpenOrders } from '../../application/order-book/open-orders.ts';
import { listOrders, type OrderFilter, type ScaledOrder } from '../../data/orders/account-orders.ts';
import type { OrderPage } from '../../data/orders/archive/order-page.ts';
import { orderStore } from '../../data/orders/archive/order-store.ts';
import { scaledOrder } from '../../data/orders/book-orders.ts';
import { type AppContext, principalOf } from '../middleware/app-env.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { failure } from '../responses/failure.ts';
import { linkNextPage } from '../responses/link-next-page.ts';
import { notCurrent } from '../responses/not-current.ts';
import { limitQuery, pageSize } from '../responses/paging.ts';
import { orderFailure } from './order-failure.ts';
import { Order, orderView } from './order-schema.ts';

/** What each filter asks of the ledger; PENDING is whatever is not final (docs/design/matching.md#states-of-an-order). */
const STATUS_FILTER: Readonly<Record<'PENDING' | 'EXECUTED' | 'CANCELLED' | 'ALL', OrderFilter['status']>> = {
  PENDING: { open: true },
  EXECUTED: { final: ['filled'] },
  CANCELLED: { final: ['cancelled', 'expired'] },
  ALL: null,
};

/** GET /v1/orders. */
export function listOrdersRoute(exchange: Profile): void {
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
          description: 'The orders. A page may be short and yet lead on: the last one has no Link header.',
          content: { 'application/json': { schema: z.object({ data: z.array(Order), message: z.literal('ok') }) } },
        },
      },
    }),
    async (c) => {
      const { facts, owner } = principalOf(c);
      if (facts === null) return orderFailure(c, { reason: 'no_account' });
      const query = c.req.valid('query');
      const { accountId: account } = facts;
      const conditions = { assetId: query.assetId ?? null, before: query.cursor ?? null, limit: pageSize(query.limit) };
      if (query.status === 'PENDING') {
        const any = { statuses: null, book: null, clientOrderId: null };
        const open = await listOpenOrders(c.env, { account, owner }, { ...any, ...conditions });
        if (open !== null) return answer(c, { ...open, orders: open.orders.map(scaledOrder) });
      }
      if (!(await settleBeforeRead(c.env, account))) return failure(c, notCurrent());
      const filter = { ...conditions, account, owner, status: STATUS_FILTER[query.status] };
      return answer(c, await listOrders(orderStore(c.env), filter));
    },
  );
}

function answer(c: AppContext, { orders, next }: OrderPage<ScaledOrder>) {
  if (next !== null) linkNextPage(c, next);
  return c.json({ data: orders.map(orderView), message: 'ok' as const }, 200);
}
