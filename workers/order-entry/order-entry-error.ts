import { type ApiError, apiError } from '../middleware/api-error.ts';
import type { OrderEntryFailure } from './order-entry-failure.ts';

/** What every door answers to a failure of order entry; `orderId` names the order that was stored as rejected, if one was. */
export function orderEntryError(failure: OrderEntryFailure, orderId: string | null = null): ApiError {
  const error = errorOf(failure);
  return orderId === null ? error : { ...error, details: { ...error.details, orderId } };
}

function errorOf(failure: OrderEntryFailure): ApiError {
  switch (failure.reason) {
    case 'no_account':
      return apiError('FORBIDDEN', 'there is no trading account to this credential');
    case 'kyc_incomplete':
      return apiError('FORBIDDEN', 'identity verification is not completed', { kycStatus: failure.kycStatus });
    case 'account_frozen':
      return apiError('FORBIDDEN', 'the account is frozen');
    case 'key_revoked':
      return apiError('FORBIDDEN', 'the API key has been revoked');
    case 'asset_not_found':
      return apiError('ASSET_NOT_FOUND', 'asset does not exist', { assetId: failure.assetId });
    case 'symbol_not_found':
      return apiError('INVALID_SYMBOL', 'trading pair unsupported', { symbol: failure.symbol });
    case 'asset_not_tradeable':
      return apiError('ASSET_NOT_TRADEABLE', 'asset currently not tradeable', { reason: failure.detail });
    case 'market_not_open':
      return apiError('ASSET_NOT_TRADEABLE', 'the market does not take orders', { reason: `market_${failure.status}` });
    case 'not_pre_ipo':
      return apiError('INVALID_ORDER_TYPE', 'the asset is not in its pre-IPO phase', { reason: failure.reason });
    case 'number_not_representable': {
      const { reason, ...limits } = failure.error;
      return apiError('VALIDATION_ERROR', `${failure.field} is not a number of this market`, {
        field: failure.field,
        reason,
        ...limits,
      });
    }
    case 'invalid_terms': {
      const { reason, ...limits } = failure.failure;
      const code = reason === 'time_in_force_not_allowed' ? 'INVALID_ORDER_TYPE' : 'VALIDATION_ERROR';
      return apiError(code, `the order's terms are refused: ${reason.replaceAll('_', ' ')}`, { reason, ...limits });
    }
    case 'accreditation_required':
      return apiError('ACCREDITATION_REQUIRED', 'asset requires accredited investor status', {
        accreditationType: failure.accreditationType,
      });
    case 'investment_limit_exceeded':
      return apiError(
        'INVESTMENT_LIMIT_EXCEEDED',
        'the 12-month limit of Regulation Crowdfunding is exceeded',
        amounts(failure),
      );
    case 'resale_restricted':
      return apiError('RESALE_RESTRICTED', 'lot is within its hold period', {
        restrictionEndDate: new Date(failure.restrictionEndsAt).toISOString(),
      });
    case 'insufficient_balance':
      return apiError('INSUFFICIENT_BALANCE', 'not enough cash or holdings', {
        asset: failure.asset,
        ...amounts(failure),
      });
    case 'risk_limit_exceeded':
      return apiError('RISK_LIMIT_EXCEEDED', 'a limit of the API key is exceeded', {
        limit: failure.limit,
        ...amounts(failure),
      });
    case 'no_rate':
      return apiError(
        failure.limit === 'investment' ? 'INVESTMENT_LIMIT_EXCEEDED' : 'RISK_LIMIT_EXCEEDED',
        `a limit in ${failure.currency} applies, and there is no rate for ${failure.quote}`,
        { limit: failure.limit, reason: failure.reason, currency: failure.currency, quote: failure.quote },
      );
    case 'symbol_not_allowed':
      return apiError('RISK_LIMIT_EXCEEDED', 'the API key may not trade this market', {
        limit: 'symbols',
        symbol: failure.symbol,
      });
    case 'order_size_exceeded':
      return apiError('RISK_LIMIT_EXCEEDED', 'the order is larger than the API key allows', {
        limit: 'order_size',
        quantity: failure.quantity,
        quantityMax: failure.quantityMax,
      });
    case 'outside_limit':
      return apiError(
        failure.limit === 'investment' ? 'INVESTMENT_LIMIT_EXCEEDED' : 'RISK_LIMIT_EXCEEDED',
        'the order was placed outside a limit that applies now; cancel it and place another',
        { limit: failure.limit },
      );
    case 'too_many_lots':
      return apiError('VALIDATION_ERROR', 'the order takes shares of too many lots: sell in smaller parts', {
        reason: failure.reason,
        lotsMax: failure.lotsMax,
      });
    case 'no_reference_price':
      return apiError('VALIDATION_ERROR', 'a market order needs a reference price and there is none yet', {
        reason: failure.reason,
      });
    case 'notional_too_large':
      return apiError('VALIDATION_ERROR', 'price times quantity is too large', { reason: failure.reason });
    case 'outside_price_band':
      return apiError('VALIDATION_ERROR', 'the price is outside the price band', {
        reason: failure.reason,
        low: failure.low,
        high: failure.high,
      });
    case 'post_only_would_take':
      return apiError('POST_ONLY_WOULD_TAKE', 'a post-only order would have matched at once');
    case 'fok_not_fillable':
      return apiError('FOK_NOT_FILLABLE', 'a fill-or-kill order could not be filled whole');
    case 'rejected_before':
      return apiError(failure.code, 'the order was rejected');
    case 'duplicate_client_order_id':
      return apiError('CONFLICT', 'another order of the account carries this client order id', {
        existingOrderId: failure.existingOrderId,
      });
    case 'request_too_old':
      return apiError(
        'VALIDATION_ERROR',
        'the order of this request was not placed, and the request is too old to be placed now: make another one',
        { reason: failure.reason },
      );
    case 'order_not_found':
      return apiError('ORDER_NOT_FOUND', 'order does not exist');
    case 'order_not_cancellable':
      return apiError('ORDER_NOT_CANCELLABLE', 'the order is final', { status: failure.status });
    case 'order_not_modifiable':
      return apiError('ORDER_NOT_MODIFIABLE', 'only a pending order can be modified', { status: failure.status });
    case 'invalid_amendment':
      return apiError('VALIDATION_ERROR', `the modification is refused: ${failure.detail.replaceAll('_', ' ')}`, {
        reason: failure.detail,
      });
    case 'too_many_open_orders':
      return apiError('RISK_LIMIT_EXCEEDED', `the ${failure.of} has as many open orders as it may: cancel some first`, {
        limit: 'open_orders',
        of: failure.of,
        openOrdersMax: failure.openOrdersMax,
      });
    case 'account_quota':
      return apiError('RISK_LIMIT_EXCEEDED', `the account has as many ${failure.of.replaceAll('_', ' ')} as it may`, {
        limit: failure.of,
        quota: failure.quota,
      });
    case 'backlog':
    case 'ledger_full':
      return apiError(
        'SERVICE_UNAVAILABLE',
        'no more orders are taken for the moment; nothing was done, please repeat',
        {
          reason: failure.reason,
        },
      );
    case 'unavailable':
      return apiError('SERVICE_UNAVAILABLE', 'orders cannot be taken at the moment; nothing was done, please repeat');
    case 'outcome_unknown':
      return apiError(
        'SERVICE_UNAVAILABLE',
        'no answer from the order book; repeat with the same Idempotency-Key to learn the outcome',
        {
          reason: failure.reason,
        },
      );
  }
}

function amounts({ required, available }: { required: number; available: number }): {
  required: number;
  available: number;
} {
  return { required, available };
}
