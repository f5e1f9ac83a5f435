import type { TermsFailure } from '../../domain/order-entry/terms-failure.ts';
import type { ErrorCode } from '../../protocol/errors/error-code.ts';
import type { OrderEntryFailure } from './order-entry-failure.ts';

/** The code that a failure of order entry has at every door, and that an order which was rejected for it keeps. */
export function failureCode(failure: OrderEntryFailure): ErrorCode {
  switch (failure.reason) {
    case 'no_account':
    case 'kyc_incomplete':
    case 'account_frozen':
    case 'key_revoked':
    case 'check_not_passed':
      return 'FORBIDDEN';
    case 'asset_not_found':
      return 'ASSET_NOT_FOUND';
    case 'symbol_not_found':
      return 'INVALID_SYMBOL';
    case 'asset_not_tradeable':
    case 'market_not_open':
    case 'outside_trading_hours':
      return 'ASSET_NOT_TRADEABLE';
    case 'not_pre_ipo':
    case 'pre_ipo':
      return 'INVALID_ORDER_TYPE';
    case 'accreditation_required':
      return 'ACCREDITATION_REQUIRED';
    case 'investment_limit_exceeded':
      return 'INVESTMENT_LIMIT_EXCEEDED';
    case 'resale_restricted':
      return 'RESALE_RESTRICTED';
    case 'insufficient_balance':
      return 'INSUFFICIENT_BALANCE';
    case 'risk_limit_exceeded':
    case 'symbol_not_allowed':
    case 'order_size_exceeded':
    case 'too_many_open_orders':
    case 'holding_too_large':
    case 'account_quota':
      return 'RISK_LIMIT_EXCEEDED';
    case 'too_many_lots':
    case 'no_reference_price':
    case 'notional_too_large':
    case 'outside_price_band':
    case 'request_too_old':
    case 'invalid_amendment':
      return 'VALIDATION_ERROR';
    case 'post_only_would_take':
      return 'POST_ONLY_WOULD_TAKE';
    case 'fok_not_fillable':
      return 'FOK_NOT_FILLABLE';
    case 'duplicate_client_order_id':
      return 'CONFLICT';
    case 'order_not_found':
      return 'ORDER_NOT_FOUND';
    case 'order_not_cancellable':
      return 'ORDER_NOT_CANCELLABLE';
    case 'order_not_modifiable':
      return 'ORDER_NOT_MODIFIABLE';
    case 'backlog':
    case 'ledger_full':
    case 'unavailable':
    case 'outcome_unknown':
      return 'SERVICE_UNAVAILABLE';
    case 'number_not_representable':
      return 'VALIDATION_ERROR';
    case 'invalid_terms':
      return isOfType(failure.failure) ? 'INVALID_ORDER_TYPE' : 'VALIDATION_ERROR';
    case 'no_rate':
    case 'outside_limit':
      return failure.limit === 'investment' ? 'INVESTMENT_LIMIT_EXCEEDED' : 'RISK_LIMIT_EXCEEDED';
    case 'rejected_before':
      return failure.code;
  }
}

function isOfType({ reason }: TermsFailure): boolean {
  return reason === 'type_not_allowed' || reason === 'time_in_force_not_allowed';
}
