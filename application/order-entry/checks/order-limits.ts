import type { Instrument } from '../../../data/catalog/instruments.ts';
import { database } from '../../../data/database.ts';
import { readRegCfPurchases } from '../../../data/limits/reg-cf-purchases.ts';
import { attributesOf } from '../../../domain/accreditation/attributes-of.ts';
import { addMonths } from '../../../domain/calendar/add-months.ts';
import type { AccountFacts, Principal } from '../../../domain/identity/principal.ts';
import { REG_CF_ALLOWANCE, REG_CF_WINDOW_MONTHS, regCfLimit } from '../../../domain/investment-limit/reg-cf-limit.ts';
import type { DailyLimits } from '../../../domain/ledger/records.ts';
import type { Market } from '../../../domain/markets/market.ts';
import { dailyLimitsOf } from '../../../domain/order-entry/daily-limits-of.ts';
import { centsInQuoteUnits, limitCurrencyFailure } from '../../../domain/order-entry/limit-currency.ts';
import { ATTRIBUTE } from '../../../domain/orders/eligibility.ts';
import type { Side } from '../../../domain/orders/order.ts';
import { CASH_SYMBOL } from '../../../domain/portfolio/cash.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import { alignAllowance } from '../../ledger/allowances.ts';
import { projected } from '../../ledger/projected.ts';
import type { OrderEntryFailure } from '../order-entry-failure.ts';
import { regCfAmountsOf } from './reg-cf-amounts-of.ts';

/** Limits that an order draws on (docs/design/ledger.md#limits-as-balances); null where none applies. */
export interface OrderLimits {
  readonly allowanceAsset: string | null;
  readonly positionAsset: string | null;
  readonly daily: DailyLimits | null;
}

const NO_LIMITS: OrderLimits = { allowanceAsset: null, positionAsset: null, daily: null };

/** The balance asset of one limit, or null where it does not apply. */
type LimitResult = Result<string | null, OrderEntryFailure>;

const NO_LIMIT: LimitResult = ok(null);
/** The ledger is out of reach, or what it has settled does not stand in D1 yet. */
const UNKNOWN: LimitResult = err({ reason: 'unavailable' });

/**
 * Which limits an order draws on: the Reg CF limit of a buyer who is not accredited (X-AEP-27), the position limit of an API key, and
 * its daily limits. Their balances are brought up to date here. Admission holds them together with the cash.
 * Only orders that meet a book draw on any.
 */
export async function orderLimits(
  env: Env,
  principal: Principal,
  facts: AccountFacts,
  side: Side,
  { market, ...rest }: Instrument,
): Promise<Result<OrderLimits, OrderEntryFailure>> {
  if (market === null) return ok(NO_LIMITS);
  const instrument = { ...rest, market };
  const allowance = side === 'buy' ? await regCfAllowance(env, facts, instrument) : NO_LIMIT;
  if (!allowance.ok) return allowance;
  const position = await positionAllowance(env, principal, facts, instrument);
  if (!position.ok) return position;
  const daily = dailyLimitsOf(principal, instrument);
  if (!daily.ok) return daily;
  return ok({ allowanceAsset: allowance.value, positionAsset: position.value, daily: daily.value });
}

async function regCfAllowance(
  env: Env,
  facts: AccountFacts,
  instrument: Instrument & { readonly market: Market },
): Promise<LimitResult> {
  const { asset, market } = instrument;
  const accredited = (attributesOf(facts) & ATTRIBUTE.self_certified_accredited) !== 0;
  if (asset.regulation !== 'reg_cf' || accredited) return NO_LIMIT;
  const failure = limitCurrencyFailure(instrument.quoteSymbol, 'investment');
  if (failure !== null) return err(failure);
  const now = Date.now();
  const account = facts.accountId;
  const purchases = { account, quoteAsset: market.quoteAsset, since: addMonths(now, -REG_CF_WINDOW_MONTHS) };
  let otherCurrency: string | null = null;
  const isAligned = await alignAllowance(
    env,
    {
      account,
      asset: REG_CF_ALLOWANCE,
      limit: centsInQuoteUnits(regCfLimit(facts, regCfAmountsOf(env)), market),
      // The balance was read before: D1 shows the fills that it has gone down by.
      usage: async () => {
        if (!(await projected(env))) return null;
        const made = await readRegCfPurchases(database(env.DB), purchases);
        otherCurrency = made.otherCurrency;
        return otherCurrency === null ? { used: made.paid, expect: [] } : null;
      },
    },
    now,
  );
  // What was bought for another currency, when no limit applied yet, counts too, and nobody says how much it was.
  if (otherCurrency !== null)
    return err({ reason: 'no_rate', limit: 'investment', currency: CASH_SYMBOL, quote: otherCurrency });
  return isAligned ? ok(REG_CF_ALLOWANCE) : UNKNOWN;
}

async function positionAllowance(
  env: Env,
  principal: Principal,
  facts: AccountFacts,
  { asset }: Instrument,
): Promise<LimitResult> {
  const limit = principal.positionLimits?.[asset.id];
  if (limit === undefined || principal.keyId === null) return NO_LIMIT;
  const allowance = `allowance:position:${principal.keyId}:${asset.id}`;
  const account = facts.accountId;
  const isAligned = await alignAllowance(
    env,
    {
      account,
      asset: allowance,
      limit,
      usage: (balanceOf) => {
        const { available, held } = balanceOf(asset.id);
        return { used: available + held, expect: [{ account, asset: asset.id, available, held }] };
      },
    },
    Date.now(),
  );
  return isAligned ? ok(allowance) : UNKNOWN;
}
