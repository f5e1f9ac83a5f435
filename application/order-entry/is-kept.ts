import type { OrderEntryFailure } from './order-entry-failure.ts';

/** Failures that leave no trace: another order carries the client order id, or the same order may be taken a moment later. */
const UNKEPT: ReadonlySet<OrderEntryFailure['reason']> = new Set([
  'duplicate_client_order_id',
  'backlog',
  'ledger_full',
]);

/** Whether an order that was refused for this is kept as rejected (docs/design/matching.md#order-validation). */
export function isKept(failure: OrderEntryFailure): boolean {
  return !UNKEPT.has(failure.reason);
}
