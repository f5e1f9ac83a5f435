import { createRoute, z } from '@hono/zod-openapi';
import { settleBeforeRead } from '../../application/ledger/settle-before-read.ts';
import { listOpenOrders } from '../../application/order-book/open-orders.ts';
import { listOrders, type OrderFilter, type ScaledOrder } from '../../data/orders/account-orders.ts';
import type { OrderPage } from '../../data/orders/archive/order-page.ts';
import { orderStore } from '../../data/orders/archive/order-store.ts';
import { type BookOrder, scaledOrder } from '../../data/orders/book-orders.ts';
import { idAt } from '../../data/orders/id-at.ts';
import { OPEN_STATUSES } from '../../domain/order-state/order-state.ts';
import { type AppContext, principalOf } from '../middleware/app-env.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { failure } from '../responses/failure.ts';
import { linkNextPage } from '../responses/link-next-page.ts';
import { notCurrent } from '../responses/not-current.ts';
import { limitQuery, pageSize } from '../responses/paging.ts';
import { momentOf, rangeFailure, timeRangeQuery } from '../responses/time-range.ts';
import { orderFailure } from './order-failure.ts';
import { Order, orderViews } from './order-schema.ts';

/** What each filter asks of the ledger; PENDING is whatever is not final (docs/design/matching.md#states-of-an-order). */
const STATUS_FILTER = {
  PENDING: { open: OPEN_STATUSES },
  MATCHED: { open: [] },
  PARTIALLY_FILLED: { open: ['partially_filled'] },
  EXECUTED: { final: ['filled'] },
  CANCELLED: { final: ['cancelled', 'expired'] },
  REJECTED: { final: ['rejected'] },
  ALL: null,
} as const satisfies Readonly<Record<string, OrderFilter['status']>>;

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
            .enum(Object.keys(STATUS_FILTER) as (keyof typeof STATUS_FILTER)[])
            .default('ALL')
            .openapi({
              description: 'PENDING lists all that are not final. No order stays MATCHED: a match fills at once.',
            }),
          assetId: z.string().optional(),
          ...timeRangeQuery,
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
      const noRange = rangeFailure(query);
      if (noRange !== null) return failure(c, noRange);
      const { accountId: account } = facts;
      const status: OrderFilter['status'] = STATUS_FILTER[query.status];
      const { before, after } = idsWithin({ cursor: query.cursor, from: query.from, to: query.to });
      const conditions = { assetId: query.assetId ?? null, before, limit: pageSize(query.limit) };
      if (status !== null && 'open' in status) {
        const wanted = { ...conditions, statuses: status.open, book: null, clientOrderId: null };
        const open = await listOpenOrders(c.env, { account, owner }, wanted);
        if (open !== null) return answer(c, cutBelow(after, open));
      }
      if (!(await settleBeforeRead(c.env, account))) return failure(c, notCurrent());
      const filter = { ...conditions, after, account, owner, status };
      return answer(c, await listOrders(orderStore(c.env), filter));
    },
  );
}

/** An order's time is that of its id: bounds of ids for the page that is asked for. */
function idsWithin({ cursor, from, to }: Readonly<Record<'cursor' | 'from' | 'to', string | undefined>>) {
  const start = momentOf(from);
  const end = momentOf(to);
  const beforeEnd = end === null ? null : idAt(end);
  const before = [cursor ?? null, beforeEnd].filter((id) => id !== null).sort()[0] ?? null;
  return { before, after: start === null ? null : idAt(start) };
}

function cutBelow(after: string | null, { orders, next }: OrderPage<BookOrder>): OrderPage<ScaledOrder> {
  const within = orders.filter(({ order }) => after === null || order.id > after);
  return { orders: within.map(scaledOrder), next: within.length < orders.length ? null : next };
}

async function answer(c: AppContext, { orders, next }: OrderPage<ScaledOrder>) {
  if (next !== null) linkNextPage(c, next);
  return c.json({ data: await orderViews(c.env, orders), message: 'ok' as const }, 200);
}
