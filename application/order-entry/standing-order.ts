import { findOrder, RELEASED } from '../../data/orders/account-orders.ts';
import { orderStore } from '../../data/orders/archive/order-store.ts';
import { routeOfOrder } from '../../domain/assets/route-of.ts';
import type { Principal } from '../../domain/identity/principal.ts';
import { isFinal } from '../../domain/order-state/order-state.ts';
import { reportOfExisting } from '../../durable-objects/order-book/api.ts';
import { projected } from '../ledger/projected.ts';
import { settleBeforeRead } from '../ledger/settle-before-read.ts';
import type { AskedOrder } from './checks/checked-order.ts';
import type { RoutePlacement } from './routes/execution-route.ts';
import { EXECUTION_ROUTES } from './routes/execution-routes.ts';
import { failureOfRejection } from './routes/failure-of-rejection.ts';

const UNKNOWN: RoutePlacement = { type: 'refused', failure: { reason: 'outcome_unknown' }, stored: true };

/**
 * What became of the order that stands under the id of this one: an earlier attempt at the same request placed it, and what the checks
 * say now, of time, of the lots that it took itself, says nothing of it. Answered as its route answers a repetition.
 */
export async function standingOrder(
  env: Env,
  { owner }: Principal,
  { request, account, instrument: { asset, market } }: AskedOrder,
): Promise<RoutePlacement> {
  const find = async () => (await findOrder(orderStore(env), { id: request.orderId, account, owner }))?.order ?? null;
  if (!(await settleBeforeRead(env, account))) return UNKNOWN;
  let order = await find();
  if (order !== null && !isFinal(order.status)) {
    // What its route has acknowledged may not have settled yet, and what was not acknowledged may yet be taken back.
    const route = EXECUTION_ROUTES[routeOfOrder({ book: order.book, executionRoute: asset.executionRoute })];
    const hasSettled = await route.settled(env, order.book);
    if (!hasSettled || !(await projected(env))) return UNKNOWN;
    order = await find();
  }
  if (order === null || order.code === RELEASED) return { type: 'unavailable' };
  if (order.status === 'rejected') return { type: 'refused', failure: failureOfRejection(order.code), stored: true };
  if (market === null) throw new Error(`an order stands on ${order.book}, which is no market`);
  return { type: 'placed', report: reportOfExisting({ ...order, restricted: order.restricted === 1 }), market };
}
