import type { ExistingOrder } from '../../../data/orders/existing-order.ts';
import { incomingAsset } from '../../../domain/ledger/incoming-room.ts';
import type { RefusedAdmission } from '../../../domain/ledger/outcomes.ts';
import type { AmendmentAdmission, OrderAdmission } from '../../../domain/ledger/records.ts';
import { RELEASED } from '../../../domain/ledger/settlement.ts';
import type { Market } from '../../../domain/markets/market.ts';
import { isFinal } from '../../../domain/order-state/order-state.ts';
import { leftOf, remainingOf } from '../../../domain/orders/remaining-of.ts';
import type { ErrorCode } from '../../../protocol/errors/error-code.ts';
import type { AmendmentRefused } from '../cycle/book-state.ts';
import type { AmendCommand, BookCommand, BookRefusal, BookResult, OrderReport } from '../rpc/commands.ts';
import type { LedgerOrder } from './ledger-order.ts';

/** Whether a placement refused so is stored as rejected: not one that may be tried again as it is, nor one whose place is taken. */
export function isStored({ reason }: BookRefusal): boolean {
  switch (reason) {
    case 'stale':
    case 'backlog':
    case 'ledger_full':
    case 'duplicate_client_order_id':
      return false;
    default:
      return true;
  }
}

/** The code that a refused placement is stored under (docs/design/matching.md#codes-of-orders). */
export function codeOfRefusal(refusal: BookRefusal): ErrorCode {
  switch (refusal.reason) {
    case 'insufficient_balance':
      return 'INSUFFICIENT_BALANCE';
    case 'investment_limit_exceeded':
      return 'INVESTMENT_LIMIT_EXCEEDED';
    case 'risk_limit_exceeded':
    case 'outside_limit':
    case 'holding_too_large':
    case 'account_quota':
    case 'too_many_open_orders':
      return 'RISK_LIMIT_EXCEEDED';
    case 'resale_restricted':
      return 'RESALE_RESTRICTED';
    case 'market_not_open':
      return 'ASSET_NOT_TRADEABLE';
    case 'account_frozen':
    case 'identity_ended':
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
    case 'backlog':
    case 'ledger_full':
      return 'SERVICE_UNAVAILABLE';
    case 'too_many_lots':
    case 'no_reference_price':
    case 'notional_too_large':
    case 'outside_price_band':
    case 'invalid_amendment':
      return 'VALIDATION_ERROR';
  }
}

/** What the ledger said of an order or amendment that it did not admit. */
export function resultOfRefused(
  { refusal, available, required, existingId, of }: RefusedAdmission,
  orderId: string,
  wanted: OrderAdmission | AmendmentAdmission,
  traded: Pick<Market, 'baseAsset' | 'quoteAsset'>,
): BookResult {
  const refused = (reason: BookRefusal): BookResult => ({ type: 'refused', orderId, refusal: reason });
  const whose = of === undefined ? {} : { whose: of };
  switch (refusal) {
    case 'balance':
      return refused({
        reason: 'insufficient_balance',
        asset: wanted.reserveAsset,
        required: wanted.reserve,
        available,
      });
    case 'allowance':
      return refused({ reason: 'investment_limit_exceeded', required: wanted.allowance, available });
    case 'position':
      return refused({ reason: 'risk_limit_exceeded', limit: 'position', required: wanted.position, available });
    case 'daily_notional':
    case 'daily_loss':
      return refused({ reason: 'risk_limit_exceeded', limit: refusal, required, available });
    case 'outside_limit':
      return refused({ reason: 'outside_limit', limit: 'daily' });
    case 'holding': {
      const asset = incomingAsset(traded, wanted.reserveAsset);
      return refused({ reason: 'holding_too_large', asset, required, available });
    }
    case 'account_orders':
      return refused({ reason: 'too_many_open_orders', of: of ?? 'account', openOrdersMax: available });
    case 'account_amendments':
      return refused({ reason: 'account_quota', of: 'amendments', quota: available, ...whose });
    case 'account_lots':
      return refused({ reason: 'account_quota', of: 'lots', quota: available, ...whose });
    case 'account_balances':
      return refused({ reason: 'account_quota', of: 'balances', quota: available, ...whose });
    case 'account_unsettled':
      return refused({ reason: 'account_quota', of: 'unsettled_sums', quota: available });
    case 'account_keys':
      return refused({ reason: 'account_quota', of: 'limited_keys', quota: available });
    case 'halted':
      return refused({ reason: 'market_not_open', status: 'halted' });
    case 'duplicate_client_order_id':
      return refused({ reason: 'duplicate_client_order_id', existingOrderId: existingId ?? '' });
    case 'account_frozen':
    case 'identity_ended':
    case 'key_revoked':
    case 'stale':
    case 'backlog':
    case 'ledger_full':
      return refused({ reason: refusal });
    case 'exists':
      throw new Error('the outcome of what exists is read, not refused');
  }
}

/**
 * What a command comes to on an order that the book has no longer, or on one that it repeats.
 * @param isRepeated whether this very amendment was applied before: its answer was lost
 */
export function resultOfExisting(
  command: BookCommand,
  orderId: string,
  order: ExistingOrder | null,
  isRepeated: boolean,
): BookResult {
  const isPlacement = command.type === 'place' || command.type === 'reject';
  // The ledger says that the id was used and D1 has nothing of it: nothing is known for certain.
  if (order === null && isPlacement) return { type: 'unavailable', orderId };
  if (order === null || order.account !== command.account)
    return { type: 'refused', orderId, refusal: { reason: 'order_not_found' } };
  const report = reportOfExisting(order);
  if (command.type === 'amend' && isRepeated && hasTermsOf(command, order)) return { type: 'done', report };
  // An indication is filled once, whichever attempt did it.
  if (command.type === 'convert' && order.status === 'filled') return { type: 'done', report };
  if (!isPlacement) {
    const { status } = report;
    const isChange = command.type === 'amend' || command.type === 'convert';
    const refusal: BookRefusal = isChange
      ? { reason: 'order_not_modifiable', status, cause: isFinal(status) ? 'final' : 'not_applied' }
      : { reason: 'order_not_cancellable', status };
    return { type: 'refused', orderId, refusal };
  }
  // Released after a crash or a long wait: it was never matched and can only be tried again under a new id.
  return order.code === RELEASED ? { type: 'unavailable', orderId } : { type: 'done', report };
}

function hasTermsOf({ quantity, price }: AmendCommand, order: ExistingOrder): boolean {
  return (quantity ?? order.quantity) === order.quantity && (price ?? order.price) === order.price;
}

export function reportOfExisting(order: Omit<ExistingOrder, 'account'>): OrderReport {
  return {
    orderId: order.id,
    status: order.status,
    quantity: order.quantity,
    price: order.price,
    filled: order.filled,
    filledNotional: order.filledNotional,
    remaining: remainingOf(order),
    restricted: order.restricted,
    code: order.code,
    timestamp: order.updatedAt,
  };
}

/** A live order in the shape of one that has ended. */
export function existingOrderOf(order: LedgerOrder): ExistingOrder {
  return { ...order, id: order.orderId, remaining: leftOf(order) };
}

/** What the engine said of an amendment that changed nothing. */
export function refusalOfAmendment({ reason, status }: AmendmentRefused): BookRefusal {
  switch (reason) {
    case 'partially_filled':
    case 'pending_trigger':
    case 'triggered':
    case 'change_under_way':
    case 'end_under_way':
    case 'handed_over':
    case 'changed_too_often':
      return { reason: 'order_not_modifiable', status, cause: reason };
    case 'market_halted':
      return { reason: 'market_not_open', status: 'halted' };
    case 'quantity_not_above_filled':
    case 'post_only_would_take':
      return { reason: 'invalid_amendment', detail: reason };
  }
}
