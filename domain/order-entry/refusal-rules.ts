import { HOLD_PERIODS } from '../resale/restriction-rules.ts';

/** What order entry refuses, and records as refused. */
export const REFUSED_ACTIONS = ['place', 'amend'] as const;

/** A rule that refuses orders: where it comes from, and what would help whoever it refuses. */
interface RefusalRule {
  readonly source: string;
  readonly remedy: string;
}

const VENUE = 'rules of the venue';
const KEY = 'limits of the API key';

const WAIT_OR_SELL_LESS =
  'Wait until the restriction ends, or sell fewer shares: the oldest lots are sold first, and another lot may be restricted otherwise.';

const of = (source: string, remedy: string): RefusalRule => ({ source, remedy });

/**
 * Rules by which order entry refuses orders, by the names under which refusals are recorded (docs/design/compliance.md#refusals). A name is never given
 * another meaning.
 */
export const REFUSAL_RULES = {
  identity_verified: of('31 CFR 1023.220', 'Complete identity verification.'),
  account_not_frozen: of(VENUE, 'Ask the venue why the account is frozen.'),
  investor_checked: of(
    '31 CFR 1023.220, 31 CFR 501.603',
    'Have the check that the details name made anew: POST /v1/investors/{investor_id}/compliance/{kind}/rescreen.',
  ),
  key_active: of(VENUE, 'Use an API key that is active.'),

  no_general_solicitation: of(
    '17 CFR 230.502(c)',
    'Certify to be an accredited investor, then look for the asset again.',
  ),
  third_party_verified_buyer: of(
    '17 CFR 230.506(c)(2)(ii)',
    'Have a third party verify that you are an accredited investor: POST /v1/account/accreditation/verifications.',
  ),
  accredited_buyer: of(
    '17 CFR 230.506(b), 17 CFR 230.501(a)',
    'Certify to be an accredited investor: POST /v1/account/accreditation/attestations.',
  ),
  reg_cf_investment_limit: of(
    '17 CFR 227.100(a)(2)',
    'Buy for less, or wait until purchases of the last 12 months leave the limit.',
  ),

  reg_d_hold: of(HOLD_PERIODS.reg_d_hold.source, WAIT_OR_SELL_LESS),
  reg_cf_hold: of(HOLD_PERIODS.reg_cf_hold.source, WAIT_OR_SELL_LESS),
  reg_s_distribution_compliance: of(HOLD_PERIODS.reg_s_distribution_compliance.source, WAIT_OR_SELL_LESS),
  issuer_lockup: of(HOLD_PERIODS.issuer_lockup.source, WAIT_OR_SELL_LESS),
  unknown_offering: of(HOLD_PERIODS.unknown_offering.source, WAIT_OR_SELL_LESS),
  broker_buyer_unknown: of(
    '17 CFR 230.144(a)(3)',
    'Wait until the restriction ends: at a broker nobody knows who buys, so that no exemption holds.',
  ),

  instrument_known: of(VENUE, 'Name an asset or pair that is listed.'),
  asset_tradeable: of(VENUE, 'Wait until the asset is tradeable.'),
  market_open: of(VENUE, 'Wait until the market is open.'),
  pre_ipo_asset: of(VENUE, 'Leave isPreIPO out: the asset is not in its pre-IPO phase.'),
  firm_order: of(VENUE, 'Leave isPreIPO out, or set it: an order on a pre-IPO asset is an indication of interest.'),
  order_terms: of(VENUE, 'Change the terms that the details name.'),
  price_band: of(VENUE, 'Choose a price within the band.'),
  reference_price: of(VENUE, 'Place a limit order.'),
  lots_of_an_order: of(VENUE, 'Sell in smaller parts.'),
  open_orders: of(VENUE, 'Cancel some open orders first.'),
  account_quota: of(VENUE, 'Close some positions first.'),
  largest_holding: of(VENUE, 'Place a smaller order, cancel open orders of the asset, or withdraw some of it first.'),
  amendments_under_way: of(VENUE, 'Wait until earlier amendments are done, or cancel the order and place another.'),
  client_order_id_unique: of(VENUE, 'Use another client order id.'),
  amendment_terms: of(VENUE, 'Change the terms that the details name.'),
  sufficient_balance: of(VENUE, 'Pay in, or place a smaller order.'),
  rate_stated: of(VENUE, 'Wait until the venue has stated a rate for the currency.'),

  key_symbols: of(KEY, 'Use a key that may trade the market.'),
  key_order_size: of(KEY, 'Place smaller orders.'),
  key_position: of(KEY, 'Place a smaller order.'),
  key_daily_notional: of(KEY, 'Wait until the next day, UTC.'),
  key_daily_loss: of(KEY, 'Wait until the next day, UTC.'),
  amendment_within_limit: of(KEY, 'Cancel the order and place another.'),

  rejected_before: of(VENUE, 'Make another request.'),
} as const satisfies Record<string, RefusalRule>;

export type RefusalRuleName = keyof typeof REFUSAL_RULES;

/**
 * Rules of compliance, whose names and remedies a client is told beside the code. The others say all that there is to say by code and details.
 */
const COMPLIANCE: ReadonlySet<RefusalRuleName> = new Set<RefusalRuleName>([
  'identity_verified',
  'account_not_frozen',
  'investor_checked',
  'third_party_verified_buyer',
  'accredited_buyer',
  'reg_cf_investment_limit',
  'reg_d_hold',
  'reg_cf_hold',
  'reg_s_distribution_compliance',
  'issuer_lockup',
  'unknown_offering',
  'broker_buyer_unknown',
]);

/** Names of the rules of compliance. */
export const COMPLIANCE_RULES: readonly RefusalRuleName[] = [...COMPLIANCE];

export function isComplianceRule(name: RefusalRuleName): boolean {
  return COMPLIANCE.has(name);
}
