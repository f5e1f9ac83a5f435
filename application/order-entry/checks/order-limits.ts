import type { Instrument } from '../../../data/catalog/instruments.ts';
import { database } from '../../../data/database.ts';
import { readRegCfPurchases } from '../../../data/limits/reg-cf-purchases.ts';
import { attributesOf } from '../../../domain/accreditation/attributes-of.ts';
import { addMonths } from '../../../domain/calendar/add-months.ts';
import type { AccountFacts, Principal } from '../../../domain/identity/principal.ts';
import { REG_CF_ALLOWANCE, REG_CF_WINDOW_MONTHS, regCfLimit } from '../../../domain/investment-limit/reg-cf-limit.ts';
import type { DailyLimits } from '../../../domain/ledger/records.ts';
import { takesIndications } from '../../../domain/markets/market.ts';
import type { VersionedRate } from '../../../domain/money/dollar-rate.ts';
import { dailyLimitsOf } from '../../../domain/order-entry/daily-limits-of.ts';
import { centsInDollarUnits, noRate } from '../../../domain/order-entry/limit-currency.ts';
import { ATTRIBUTE } from '../../../domain/orders/eligibility.ts';
import type { Side } from '../../../domain/orders/order.ts';
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
  /** That limits in money go by; null where none applies, and for what is quoted in dollars. */
  readonly rate: VersionedRate | null;
}

const NO_LIMITS: OrderLimits = { allowanceAsset: null, positionAsset: null, daily: null, rate: null };

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
  // An indication spends nothing.
  if (market === null || takesIndications(market)) return ok(NO_LIMITS);
  const instrument = { ...rest, market };
  const allowance = side === 'buy' ? await regCfAllowance(env, facts, instrument) : NO_LIMIT;
  if (!allowance.ok) return allowance;
  const position = await positionAllowance(env, principal, facts, instrument);
  if (!position.ok) return position;
  const daily = dailyLimitsOf(principal, instrument);
  if (!daily.ok) return daily;
  const isInMoney = allowance.value !== null || daily.value !== null;
  return ok({
    allowanceAsset: allowance.value,
    positionAsset: position.value,
    daily: daily.value,
    rate: isInMoney ? (rest.dollars?.rate ?? null) : null,
  });
}

async function regCfAllowance(env: Env, facts: AccountFacts, instrument: Instrument): Promise<LimitResult> {
  const terms = regCfTerms(env, facts, instrument);
  if (!terms.ok) return terms;
  if (terms.value === null) return NO_LIMIT;
  const now = Date.now();
  const account = facts.accountId;
  const purchases = regCfPurchasesAsked(account, now);
  let unrated: string | null = null;
  const isAligned = await alignAllowance(
    env,
    {
      account,
      asset: REG_CF_ALLOWANCE,
      limit: terms.value.limit,
      // The balance was read before: D1 shows the fills that it has gone down by.
      usage: async () => {
        if (!(await projected(env))) return null;
        const made = await readRegCfPurchases(database(env.DB), purchases);
        unrated = made.unrated;
        return unrated === null ? { used: made.paid, expect: [] } : null;
      },
    },
    now,
  );
  // What was bought for another currency, when no limit applied yet, counts too, and nobody says how much it was.
  if (unrated !== null) return err(noRate(unrated, 'investment'));
  return isAligned ? ok(REG_CF_ALLOWANCE) : UNKNOWN;
}

interface RegCfTerms {
  readonly limit: number;
  readonly scale: number;
}

/**
 * What the limit of 17 CFR 227.100(a)(2) leaves a buyer of the asset in all, in units of the venue's dollar. Null where it limits nothing: the buyer is
 * accredited, or an order spends nothing. It refuses where nobody can say in dollars what an order is worth.
 */
function regCfTerms(
  env: Env,
  facts: AccountFacts,
  { asset, market, dollars, quoteSymbol }: Instrument,
): Result<RegCfTerms | null, OrderEntryFailure> {
  if (market === null || takesIndications(market)) return ok(null);
  const isAccredited = (attributesOf(facts) & ATTRIBUTE.self_certified_accredited) !== 0;
  if (asset.regulation !== 'reg_cf' || isAccredited) return ok(null);
  if (dollars === null) return err(noRate(quoteSymbol, 'investment'));
  const limit = centsInDollarUnits(regCfLimit(facts, regCfAmountsOf(env)), dollars.scale);
  return ok({ limit, scale: dollars.scale });
}

function regCfPurchasesAsked(account: string, now: number) {
  return { account, since: addMonths(now, -REG_CF_WINDOW_MONTHS) };
}

/** Where a buyer stands under Regulation Crowdfunding. Units of the venue's dollar. */
export interface RegCfStanding {
  readonly limit: number;
  /** By purchases of the last 12 months and by open orders. */
  readonly used: number;
  readonly scale: number;
}

/**
 * What `regCfAllowance` would grant, without granting it, and what it would refuse; null where no limit applies. Call it once D1 has what the account's
 * books have acknowledged.
 */
export async function regCfStanding(
  env: Env,
  facts: AccountFacts,
  instrument: Instrument,
  heldOf: (asset: string) => number,
): Promise<Result<RegCfStanding | null, OrderEntryFailure>> {
  const terms = regCfTerms(env, facts, instrument);
  if (!terms.ok) return terms;
  if (terms.value === null) return ok(null);
  const made = await readRegCfPurchases(database(env.DB), regCfPurchasesAsked(facts.accountId, Date.now()));
  if (made.unrated !== null) return err(noRate(made.unrated, 'investment'));
  return ok({ ...terms.value, used: made.paid + heldOf(REG_CF_ALLOWANCE) });
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
