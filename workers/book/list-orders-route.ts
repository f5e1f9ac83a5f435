import { createRoute, z } from '@hono/zod-openapi';
import { settleBeforeRead } from '../../application/ledger/settle-before-read.ts';
import { listOpenOrders } from '../../application/order-book/open-orders.ts';
import type { OrderPage } from '../../data/orders/archive/order-page.ts';
import { orderStore } from '../../data/orders/archive/order-store.ts';
import { type BookOrder, listBookOrders } from '../../data/orders/book-orders.ts';
import { isFinal, OPEN_STATUSES } from '../../domain/order-state/order-state.ts';
import { ORDER_STATUSES, type OrderStatus } from '../../domain/orders/order.ts';
import { type AppContext, principalOf } from '../middleware/app-env.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { failure } from '../responses/failure.ts';
import { linkNextPage } from '../responses/link-next-page.ts';
import { notCurrent } from '../responses/not-current.ts';
import { wholeNumberOr } from '../responses/whole-number.ts';
import { accountOf } from './account-of.ts';
import { Order, orderOf } from './order.ts';
import { ownSymbolError } from './own-symbol-error.ts';

/** Both the page that an absent `limit` gives and the largest. */
const LIMIT_MAX = 1_000;
const DONE = ORDER_STATUSES.filter((status) => isFinal(status) && status !== 'rejected');

const Orders = z.object({ orders: z.array(Order) }).openapi('Orders');

/** GET /v1/orders. */
export function listOrdersRoute(profile: Profile): void {
  registerRoute(
    profile,
    { access: { credential: 'key', scope: 'read' }, bucket: 'private' },
    createRoute({
      method: 'get',
      path: '/v1/orders',
      summary: 'Orders of the account',
      description:
        '`status=open` lists every order that is not final: open, partially_filled and pending_trigger; `status=done` every one that is over and was not rejected: filled, cancelled and expired.',
      request: {
        query: z.object({
          status: z.enum([...ORDER_STATUSES, 'done', 'all']).default('all'),
          symbol: z.string().optional(),
          client_order_id: z.string().max(64).optional(),
          limit: wholeNumberOr(LIMIT_MAX, 1, LIMIT_MAX),
          cursor: z.uuid().optional(),
        }),
      },
      responses: {
        200: {
          description:
            'Newest first; the next page is in the Link header. A page may be short and yet lead on: the last one has no Link header.',
          content: { 'application/json': { schema: Orders } },
        },
      },
    }),
    async (c) => {
      const account = accountOf(c);
      if (!account.ok) return failure(c, account.error);
      const { status, symbol, client_order_id: clientOrderId, limit, cursor } = c.req.valid('query');
      const unknown =
        symbol === undefined ? null : await ownSymbolError({ env: c.env, principal: principalOf(c) }, symbol);
      if (unknown !== null) return failure(c, unknown);
      const statuses = statusesOf(status);
      const conditions = {
        statuses,
        book: symbol ?? null,
        clientOrderId: clientOrderId ?? null,
        before: cursor ?? null,
        limit,
      };
      if (statuses !== null && !statuses.some(isFinal)) {
        const holder = { account: account.value, owner: principalOf(c).owner };
        const open = await listOpenOrders(c.env, holder, { ...conditions, assetId: null });
        if (open !== null) return answer(c, open);
      }
      if (!(await settleBeforeRead(c.env, account.value))) return failure(c, notCurrent());
      return answer(c, await listBookOrders(orderStore(c.env), { ...conditions, account: account.value }));
    },
  );
}

function answer(c: AppContext, { orders, next }: OrderPage<BookOrder>) {
  if (next !== null) linkNextPage(c, next);
  return c.json({ orders: orders.map(orderOf) }, 200);
}

function statusesOf(status: OrderStatus | 'done' | 'all'): readonly OrderStatus[] | null {
  if (status === 'all') return null;
  if (status === 'done') return DONE;
  return status === 'open' ? OPEN_STATUSES : [status];
}
