import type { RefusalRuleName } from '../../../domain/order-entry/refusal-rules.ts';
import type { OrderEntryFailure } from '../order-entry-failure.ts';

/**
 * The rules that a failure of order entry follows from, the first one foremost; none where no rule has judged the order: nothing could be asked, or the
 * book said how the order ended, which its own code tells.
 */
export function rulesOfFailure(failure: OrderEntryFailure): readonly RefusalRuleName[] {
  switch (failure.reason) {
    case 'kyc_incomplete':
      return ['identity_verified'];
    case 'account_frozen':
      return ['account_not_frozen'];
    case 'check_not_passed':
      return ['investor_checked'];
    case 'key_revoked':
      return ['key_active'];
    case 'asset_not_found':
    case 'symbol_not_found':
      return ['instrument_known'];
    case 'asset_not_tradeable':
      return ['asset_tradeable'];
    case 'market_not_open':
    case 'outside_trading_hours':
      return ['market_open'];
    case 'not_pre_ipo':
      return ['pre_ipo_asset'];
    case 'pre_ipo':
      return ['firm_order'];
    case 'accreditation_required':
      return [failure.accreditationType === '506c' ? 'third_party_verified_buyer' : 'accredited_buyer'];
    case 'investment_limit_exceeded':
      return ['reg_cf_investment_limit'];
    case 'resale_restricted':
      return failure.rules;
    case 'insufficient_balance':
      return ['sufficient_balance'];
    case 'risk_limit_exceeded':
      return [RISK_RULE[failure.limit]];
    case 'no_rate':
      return ['rate_stated'];
    case 'outside_limit':
      return failure.limit === 'investment' ? ['reg_cf_investment_limit'] : ['amendment_within_limit'];
    case 'symbol_not_allowed':
      return ['key_symbols'];
    case 'order_size_exceeded':
      return ['key_order_size'];
    case 'too_many_open_orders':
      return ['open_orders'];
    case 'holding_too_large':
      return ['largest_holding'];
    case 'account_quota':
      return [failure.of === 'amendments' ? 'amendments_under_way' : 'account_quota'];
    case 'too_many_lots':
      return ['lots_of_an_order'];
    case 'no_reference_price':
      return ['reference_price'];
    case 'outside_price_band':
      return ['price_band'];
    case 'number_not_representable':
    case 'invalid_terms':
    case 'notional_too_large':
      return ['order_terms'];
    case 'invalid_amendment':
      return ['amendment_terms'];
    case 'duplicate_client_order_id':
      return ['client_order_id_unique'];
    case 'rejected_before':
      return ['rejected_before'];
    case 'no_account':
    case 'post_only_would_take':
    case 'fok_not_fillable':
    case 'request_too_old':
    case 'order_not_found':
    case 'order_not_cancellable':
    case 'order_not_modifiable':
    case 'backlog':
    case 'ledger_full':
    case 'unavailable':
    case 'outcome_unknown':
      return [];
  }
}

const RISK_RULE = {
  position: 'key_position',
  daily_notional: 'key_daily_notional',
  daily_loss: 'key_daily_loss',
} as const;
