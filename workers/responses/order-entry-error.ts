import { failureCode } from '../../application/order-entry/failure-code.ts';
import type { OrderEntryFailure } from '../../application/order-entry/order-entry-failure.ts';
import { rulesOfFailure } from '../../application/order-entry/refusals/rules-of-failure.ts';
import { isComplianceRule, REFUSAL_RULES } from '../../domain/order-entry/refusal-rules.ts';
import { CASH_SYMBOL } from '../../domain/portfolio/cash.ts';
import type { UnmodifiableCause } from '../../durable-objects/order-book/api.ts';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';

/** What every door answers to a failure of order entry; `orderId` names the order that was stored as rejected, if one was. */
export function orderEntryError(failure: OrderEntryFailure, orderId: string | null = null): ApiError {
  const error = withRule(errorOf(failure), failure);
  return orderId === null ? error : { ...error, details: { ...error.details, orderId } };
}

/** A rule of compliance is named, with what would help. */
function withRule(error: ApiError, failure: OrderEntryFailure): ApiError {
  const [rule] = rulesOfFailure(failure);
  if (rule === undefined || !isComplianceRule(rule)) return error;
  return { ...error, details: { ...error.details, rule, remedy: REFUSAL_RULES[rule].remedy } };
}

function errorOf(failure: OrderEntryFailure): ApiError {
  const error = (message: string, details: ApiError['details'] = {}) =>
    apiError(failureCode(failure), message, details);
  switch (failure.reason) {
    case 'no_account':
      return error('there is no trading account to this credential');
    case 'kyc_incomplete':
      return error('identity verification is not completed', { kycStatus: failure.kycStatus });
    case 'account_frozen':
      return error('the account is frozen');
    case 'key_revoked':
      return error('the API key has been revoked');
    case 'check_not_passed':
      return error('a check of the investor has not passed', { check: failure.check, status: failure.status });
    case 'asset_not_found':
      return error('asset does not exist', { assetId: failure.assetId });
    case 'symbol_not_found':
      return error('trading pair unsupported', { symbol: failure.symbol });
    case 'asset_not_tradeable':
      return error('asset currently not tradeable', { reason: failure.detail });
    case 'market_not_open':
      return error('the market does not take orders', {
        reason: `market_${failure.status}`,
        ...(failure.resumesAt === undefined ? {} : { resumesAt: new Date(failure.resumesAt).toISOString() }),
      });
    case 'outside_trading_hours':
      return error('the market is closed, and the order cannot wait until it opens', {
        reason: failure.reason,
        opensAt: new Date(failure.opensAt).toISOString(),
      });
    case 'not_pre_ipo':
      return error('the asset is not in its pre-IPO phase', { reason: failure.reason });
    case 'pre_ipo':
      return error('the asset is in its pre-IPO phase: an order on it is an indication of interest', {
        field: 'isPreIPO',
        reason: failure.reason,
      });
    case 'number_not_representable': {
      const { reason, ...limits } = failure.error;
      return error(`${failure.field} is not a number of this market`, {
        field: failure.field,
        reason,
        ...limits,
      });
    }
    case 'invalid_terms': {
      const { reason, ...limits } = failure.failure;
      return error(`the order's terms are refused: ${reason.replaceAll('_', ' ')}`, { reason, ...limits });
    }
    case 'accreditation_required':
      return error('asset requires accredited investor status', {
        accreditationType: failure.accreditationType,
      });
    case 'investment_limit_exceeded':
      return error('the 12-month limit of Regulation Crowdfunding is exceeded', {
        currency: CASH_SYMBOL,
        ...amounts(failure),
      });
    case 'resale_restricted':
      if (failure.restrictionEndsAt === null) return error('not every buyer at a broker may have the asset');
      return error('lot is within its hold period', {
        restrictionEndDate: new Date(failure.restrictionEndsAt).toISOString(),
      });
    case 'insufficient_balance':
      return error('not enough cash or holdings', {
        asset: failure.asset,
        ...amounts(failure),
      });
    case 'risk_limit_exceeded':
      return error('a limit of the API key is exceeded', {
        limit: failure.limit,
        ...(failure.limit === 'position' ? {} : { currency: CASH_SYMBOL }),
        ...amounts(failure),
      });
    case 'no_rate':
      return error(`a limit in ${failure.currency} applies, and there is no rate for ${failure.quote}`, {
        limit: failure.limit,
        reason: failure.reason,
        currency: failure.currency,
        quote: failure.quote,
      });
    case 'symbol_not_allowed':
      return error('the API key may not trade this market', {
        limit: 'symbols',
        symbol: failure.symbol,
      });
    case 'order_size_exceeded':
      return error('the order is larger than the API key allows', {
        limit: 'order_size',
        quantity: failure.quantity,
        quantityMax: failure.quantityMax,
      });
    case 'outside_limit':
      return error('the order was placed outside a limit that applies now; cancel it and place another', {
        limit: failure.limit,
      });
    case 'too_many_lots':
      return error('the order takes shares of too many lots: sell in smaller parts', {
        reason: failure.reason,
        lotsMax: failure.lotsMax,
      });
    case 'no_reference_price':
      return error('a market order needs a reference price and there is none yet', {
        reason: failure.reason,
      });
    case 'notional_too_large':
      return error('price times quantity is too large', { reason: failure.reason });
    case 'outside_price_band':
      return error('the price is outside the price band', {
        reason: failure.reason,
        low: failure.low,
        high: failure.high,
      });
    case 'post_only_would_take':
      return error('a post-only order would have matched at once');
    case 'fok_not_fillable':
      return error('a fill-or-kill order could not be filled whole');
    case 'rejected_before':
      return error('the order was rejected');
    case 'duplicate_client_order_id':
      return error('another order of the account carries this client order id', {
        existingOrderId: failure.existingOrderId,
      });
    case 'request_too_old':
      return error(
        'the order of this request was not placed, and the request is too old to be placed now: make another one',
        { reason: failure.reason },
      );
    case 'order_not_found':
      return error('order does not exist');
    case 'order_not_cancellable':
      return error('the order is final', { status: failure.status });
    case 'order_not_modifiable':
      return error(UNMODIFIABLE[failure.cause], { status: failure.status, reason: failure.cause });
    case 'invalid_amendment':
      return error(`the modification is refused: ${failure.detail.replaceAll('_', ' ')}`, {
        reason: failure.detail,
      });
    case 'too_many_open_orders':
      return error(`${OWNERS[failure.of]} has as many open orders as it may: cancel some first`, {
        limit: 'open_orders',
        of: failure.of,
        openOrdersMax: failure.openOrdersMax,
      });
    case 'holding_too_large':
      return error(
        'the account would come to have more of the asset than it may: place a smaller order, cancel open orders, or withdraw some of it first',
        { limit: 'holding', asset: failure.asset, ...amounts(failure) },
      );
    case 'account_quota':
      return error(`${OWNERS[failure.whose ?? 'account']} has as many ${failure.of.replaceAll('_', ' ')} as it may`, {
        limit: failure.of,
        of: failure.whose ?? 'account',
        quota: failure.quota,
      });
    case 'backlog':
    case 'ledger_full':
      return error('no more orders are taken for the moment; nothing was done, please repeat', {
        reason: failure.reason,
      });
    case 'unavailable':
      return error('orders cannot be taken at the moment; nothing was done, please repeat');
    case 'outcome_unknown':
      return error('no answer from the order book; repeat with the same Idempotency-Key to learn the outcome', {
        reason: failure.reason,
      });
  }
}

function amounts({ required, available }: { required: number; available: number }): {
  required: number;
  available: number;
} {
  return { required, available };
}

/** Whose quota it is. */
const OWNERS = {
  account: 'the account',
  book: 'the book',
  investor: 'the investor, over all accounts,',
  partner: 'your organization, over all its investors,',
} as const;

const UNMODIFIABLE: Readonly<Record<UnmodifiableCause, string>> = {
  final: 'the order has ended',
  partially_filled: 'the order has filled in part',
  pending_trigger: 'the order awaits its trigger',
  triggered: 'the order has triggered',
  change_under_way: 'another change of the order is under way at its broker',
  end_under_way: 'the broker was asked to end the order',
  handed_over: 'the broker has the order, which never rests',
  changed_too_often: 'the order was changed as often as one may be',
  refused_by_broker: 'the broker keeps the order as it is',
  not_applied: 'the modification was not carried out: the order has other terms',
};
