import { findOrder, RELEASED } from '../../data/orders/account-orders.ts';
import { orderStore } from '../../data/orders/archive/order-store.ts';
import type { Principal } from '../../domain/identity/principal.ts';
import { reportOfExisting } from '../../durable-objects/order-book/api.ts';
import { projected } from '../ledger/projected.ts';
import { settleBeforeRead, settleBook } from '../ledger/settle-before-read.ts';
import type { AskedOrder } from './checks/checked-order.ts';
import type { RouteOutcome } from './routes/execution-route.ts';
import { failureOfRejection } from './routes/failure-of-rejection.ts';

const UNKNOWN: RouteOutcome = { type: 'refused', failure: { reason: 'outcome_unknown' }, stored: true };

/**
 * What became of the order that stands under the id of this one: an earlier attempt at the same request placed it, and what the checks
 * say now, of time, of the lots that it took itself, says nothing of it. Answered as its book answers a repetition.
 */
export async function standingOrder(
  env: Env,
  { owner }: Principal,
  { request, account, instrument: { market } }: AskedOrder,
): Promise<RouteOutcome> {
  const find = async () => (await findOrder(orderStore(env), { id: request.orderId, account, owner }))?.order ?? null;
  if (!(await settleBeforeRead(env, account))) return UNKNOWN;
  let order = await find();
  if (order?.open === 1) {
    // What its book has acknowledged may not have settled yet, and what was not acknowledged may yet be taken back.
    const hasSettled = order.book === null || (await settleBook(env, order.book));
    if (!hasSettled || !(await projected(env))) return UNKNOWN;
    order = await find();
  }
  if (order === null || order.code === RELEASED) return { type: 'unavailable' };
  if (order.status === 'rejected') return { type: 'refused', failure: failureOfRejection(order.code), stored: true };
  if (market === null) throw new Error(`an order stands on ${order.book}, which is no market`);
  return { type: 'placed', report: reportOfExisting({ ...order, restricted: order.restricted === 1 }), market };
}
