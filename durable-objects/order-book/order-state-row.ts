import type { OrderStateRow } from '../../data/ledger/rows.ts';
import type { LedgerOrder } from './ledger-order.ts';

/** An order's row in D1, as the order stands now. */
export function orderStateRow(order: LedgerOrder): OrderStateRow {
  const open = order.status === 'open' || order.status === 'pending_trigger' || order.status === 'partially_filled';
  return [
    order.orderId,
    open ? 1 : 0,
    order.status,
    order.filled,
    order.filledNotional,
    order.fee,
    order.reserve,
    order.allowance,
    order.position,
    order.restricted ? 1 : 0,
    order.quantity,
    order.price,
    order.code,
    order.updatedAt,
    order.status === 'filled' ? order.updatedAt : null,
    order.status === 'cancelled' || order.status === 'expired' ? order.updatedAt : null,
  ];
}
