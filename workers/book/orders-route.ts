import { createRoute, z } from '@hono/zod-openapi';
import { settleBeforeRead } from '../../application/ledger/settle-before-read.ts';
import { listBookOrders } from '../../data/book-profile/orders.ts';
import { database } from '../../data/database.ts';
import type { OrderStatus } from '../../domain/orders/order.ts';
import { failure } from '../middleware/api-error.ts';
import { linkNextPage } from '../middleware/link-next-page.ts';
import { notCurrent } from '../middleware/not-current.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { accountOf } from './account-of.ts';
import { ORDER_STATUSES, Order, orderOf } from './order.ts';
import { ownSymbolError } from './own-symbol-error.ts';

/** Both the page that an absent `limit` gives and the largest. */
const LIMIT_MAX = 1_000;

const NOT_FINAL: readonly OrderStatus[] = ['open', 'partially_filled', 'pending_trigger'];

const Orders = z.object({ orders: z.array(Order) }).openapi('Orders');

/** GET /v1/orders. */
export function ordersRoute(profile: Profile): void {
  registerRoute(
    profile,
    { access: { credential: 'key', scope: 'read' }, bucket: 'private' },
    createRoute({
      method: 'get',
      path: '/v1/orders',
      summary: 'Orders of the account',
      description: '`status=open` lists every order that is not final: open, partially_filled and pending_trigger.',
      request: {
        query: z.object({
          status: z.enum([...ORDER_STATUSES, 'all']).default('all'),
          symbol: z.string().optional(),
          client_order_id: z.string().max(64).optional(),
          limit: z.coerce.number().int().min(1).max(LIMIT_MAX).default(LIMIT_MAX),
          cursor: z.uuid().optional(),
        }),
      },
      responses: {
        200: {
          description: 'Newest first; the next page is in the Link header.',
          content: { 'application/json': { schema: Orders } },
        },
      },
    }),
    async (c) => {
      const account = accountOf(c);
      if (!account.ok) return failure(c, account.error);
      const { status, symbol, client_order_id: clientOrderId, limit, cursor } = c.req.valid('query');
      const unknown = symbol === undefined ? null : await ownSymbolError(c, symbol);
      if (unknown !== null) return failure(c, unknown);
      if (!(await settleBeforeRead(c.env, account.id))) return failure(c, notCurrent());
      const found = await listBookOrders(database(c.env.DB), {
        account: account.id,
        statuses: statusesOf(status),
        book: symbol ?? null,
        clientOrderId: clientOrderId ?? null,
        before: cursor ?? null,
        limit: limit + 1,
      });
      const page = found.slice(0, limit);
      const last = page.at(-1);
      if (found.length > limit && last !== undefined) linkNextPage(c, last.order.id);
      return c.json({ orders: page.map(orderOf) }, 200);
    },
  );
}

function statusesOf(status: OrderStatus | 'all'): readonly OrderStatus[] | null {
  if (status === 'all') return null;
  return status === 'open' ? NOT_FINAL : [status];
}
