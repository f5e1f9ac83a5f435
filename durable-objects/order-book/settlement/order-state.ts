import type { OrderState } from '../../../domain/ledger/records.ts';
import { leftOf } from '../../../domain/orders/remaining-of.ts';
import type { LedgerOrder } from '../admission/ledger-order.ts';

/**
 * What the ledger is told of an order, as the order stands now.
 *
 * @param incoming what its executions may still bring from outside; undefined for nothing
 */
export function orderState(order: LedgerOrder, incoming?: number): OrderState {
  const left = leftOf(order);
  return {
    id: order.orderId,
    status: order.status,
    filled: order.filled,
    filledNotional: order.filledNotional,
    fee: order.fee,
    reserve: order.reserve,
    allowance: order.allowance,
    position: order.position,
    restricted: order.restricted,
    quantity: order.quantity,
    price: order.price,
    code: order.code,
    updatedAt: order.updatedAt,
    executedAt: order.status === 'filled' ? order.updatedAt : null,
    cancelledAt: order.status === 'cancelled' || order.status === 'expired' ? order.updatedAt : null,
    ...(left === 0 || left === order.quantity - order.filled ? {} : { remaining: left }),
    ...(incoming === undefined ? {} : { incoming }),
  };
}
