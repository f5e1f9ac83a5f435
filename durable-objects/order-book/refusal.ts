import type { AmendmentRow, ExistingOrder, OrderRow, RefusedRow } from '../../data/ledger/rows.ts';
import type { OrderStatus } from '../../domain/orders/order.ts';
import type { AmendCommand, BookCommand, BookRefusal, BookResult, OrderReport } from './api.ts';
import type { RefuseReason } from './engine/engine.ts';

/** The code that a refused placement is stored under (exchange.md Errors, DESIGN 13). */
export function codeOfRefusal(refusal: BookRefusal): string {
  switch (refusal.reason) {
    case 'insufficient_balance':
      return 'INSUFFICIENT_BALANCE';
    case 'investment_limit_exceeded':
      return 'INVESTMENT_LIMIT_EXCEEDED';
    case 'risk_limit_exceeded':
      return 'RISK_LIMIT_EXCEEDED';
    case 'resale_restricted':
      return 'RESALE_RESTRICTED';
    case 'market_not_open':
      return 'ASSET_NOT_TRADEABLE';
    case 'account_frozen':
    case 'key_revoked':
      return 'FORBIDDEN';
    case 'order_not_found':
      return 'ORDER_NOT_FOUND';
    case 'order_not_cancellable':
      return 'ORDER_NOT_CANCELLABLE';
    case 'order_not_modifiable':
      return 'ORDER_NOT_MODIFIABLE';
    case 'duplicate_client_order_id':
    case 'stale':
      return 'CONFLICT';
    case 'too_many_lots':
    case 'no_reference_price':
    case 'notional_too_large':
    case 'outside_price_band':
    case 'invalid_amendment':
      return 'VALIDATION_ERROR';
  }
}

/** What D1 said of a row that it did not admit. */
export function resultOfRefusedRow(
  row: RefusedRow,
  wanted: OrderRow | AmendmentRow,
  kind: 'order' | 'amendment',
): BookResult {
  const at = kind === 'order' ? 13 : 3;
  const [reserveAsset, reserve, , allowance, , position] = wanted.slice(at, at + 6) as [
    string,
    number,
    unknown,
    number,
    unknown,
    number,
  ];
  const { available } = row;
  const refused = (refusal: BookRefusal): BookResult => ({
    type: 'refused',
    orderId: wanted[kind === 'order' ? 0 : 1] as string,
    refusal,
  });
  switch (row.refusal) {
    case 'balance':
      return refused({ reason: 'insufficient_balance', asset: reserveAsset, required: reserve, available });
    case 'allowance':
      return refused({ reason: 'investment_limit_exceeded', required: allowance, available });
    case 'position':
      return refused({ reason: 'risk_limit_exceeded', limit: 'position', required: position, available });
    case 'halted':
      return refused({ reason: 'market_not_open', status: 'halted' });
    case 'account_frozen':
      return refused({ reason: 'account_frozen' });
    case 'key_revoked':
      return refused({ reason: 'key_revoked' });
    case 'stale':
      return refused({ reason: 'stale' });
    case 'duplicate_client_order_id':
      return refused({ reason: 'duplicate_client_order_id', existingOrderId: row.existing?.id ?? '' });
    case 'exists':
      throw new Error('a row that exists is looked up, not refused');
  }
}

/**
 * What a command on an order that only D1 knows comes to.
 * @param isRepeated whether this very amendment was admitted before: its answer was lost
 */
export function resultOfExisting(
  command: BookCommand,
  orderId: string,
  order: ExistingOrder | null,
  isRepeated: boolean,
): BookResult {
  if (order === null || order.account !== command.account) {
    return { type: 'refused', orderId, refusal: { reason: 'order_not_found' } };
  }
  const report = reportOfExisting(order);
  if (command.type === 'amend' && isRepeated && hasTermsOf(command, order)) return { type: 'done', report };
  if (command.type !== 'place') {
    const reason = command.type === 'amend' ? 'order_not_modifiable' : 'order_not_cancellable';
    return { type: 'refused', orderId, refusal: { reason, status: report.status } };
  }
  // Released after a crash or a long wait: it was never matched and can only be tried again under a new id.
  return order.code === 'UNAVAILABLE' ? { type: 'unavailable', orderId } : { type: 'done', report };
}

function hasTermsOf({ quantity, price }: AmendCommand, order: ExistingOrder): boolean {
  return (quantity ?? order.quantity) === order.quantity && (price ?? order.price) === order.price;
}

export function reportOfExisting(order: Omit<ExistingOrder, 'account'>): OrderReport {
  const final = !['open', 'pending_trigger', 'partially_filled'].includes(order.status);
  return {
    orderId: order.id,
    status: order.status as OrderStatus,
    quantity: order.quantity,
    price: order.price,
    filled: order.filled,
    filledNotional: order.filledNotional,
    remaining: final ? 0 : order.quantity - order.filled,
    restricted: order.restricted,
    code: order.code,
    timestamp: order.updatedAt,
  };
}

/** What the engine said of an amendment that changed nothing. */
export function refusalOfAmendment(reason: RefuseReason): BookRefusal {
  switch (reason) {
    case 'not_found':
      return { reason: 'order_not_found' };
    case 'partially_filled':
      return { reason: 'order_not_modifiable', status: 'partially_filled' };
    case 'pending_trigger':
      return { reason: 'order_not_modifiable', status: 'pending_trigger' };
    case 'quantity_not_above_filled':
    case 'post_only_would_take':
      return { reason: 'invalid_amendment', detail: reason };
  }
}
