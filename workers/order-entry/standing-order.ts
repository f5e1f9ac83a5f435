import { database } from '../../data/database.ts';
import { findOrder, RELEASED, type ScaledOrder } from '../../data/orders.ts';
import type { OrderStatus } from '../../domain/orders/order.ts';
import type { OrderReport } from '../../durable-objects/order-book/api.ts';
import type { Principal } from '../middleware/principal.ts';
import type { AskedOrder } from './checked-order.ts';
import type { RouteOutcome } from './execution-route.ts';
import { failureOfRejection } from './failure-of-rejection.ts';
import { orderBookOf } from './order-book-of.ts';

/**
 * What became of the order that stands under the id of this one: an earlier attempt at the same request placed it, and what the checks
 * say now, of time, of the lots that it took itself, says nothing of it. Answered as its book answers a repetition.
 */
export async function standingOrder(
  env: Env,
  { owner }: Principal,
  { request, account, instrument: { market } }: AskedOrder,
): Promise<RouteOutcome> {
  const find = () => findOrder(database(env.DB), { id: request.orderId, account, owner });
  let order = (await find())?.order ?? null;
  if (order?.open === 1) {
    // What its book has acknowledged may not have settled yet, and what was not acknowledged may yet be taken back.
    if (!(await hasSettled(env, order.book))) {
      return { type: 'refused', failure: { reason: 'outcome_unknown' }, stored: true };
    }
    order = (await find())?.order ?? null;
  }
  if (order === null || order.code === RELEASED) return { type: 'unavailable' };
  if (order.status === 'rejected') return { type: 'refused', failure: failureOfRejection(order.code), stored: true };
  if (market === null) throw new Error(`an order stands on ${order.book}, which is no market`);
  return { type: 'placed', report: reportOf(order), market };
}

async function hasSettled(env: Env, symbol: string | null): Promise<boolean> {
  if (symbol === null) return true;
  try {
    return await orderBookOf(env, symbol).settled();
  } catch {
    return false;
  }
}

function reportOf(order: ScaledOrder['order']): OrderReport {
  return {
    orderId: order.id,
    status: order.status as OrderStatus,
    quantity: order.quantity,
    price: order.price,
    filled: order.filled,
    filledNotional: order.filledNotional,
    remaining: order.open === 1 ? order.quantity - order.filled : 0,
    restricted: order.restricted === 1,
    code: order.code,
    timestamp: order.updatedAt,
  };
}
