import type { Instrument } from '../../data/catalog/instruments.ts';
import { isListed } from '../../domain/assets/is-listed.ts';
import { routeOfAsset } from '../../domain/assets/route-of.ts';
import type { AccountFacts, Principal } from '../../domain/identity/principal.ts';
import { opensAt } from '../../domain/markets/trading-hours.ts';
import { fromScaled } from '../../domain/money/scaled.ts';
import { traderFailures } from '../../domain/order-entry/trader-of.ts';
import type { Side } from '../../domain/orders/order.ts';
import { type FreeToSell, freeToSell } from '../../domain/resale/free-to-sell.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import { readBalances } from '../ledger/balances.ts';
import { settleBeforeRead } from '../ledger/settle-before-read.ts';
import { readBook } from '../order-book/read-book.ts';
import { instrumentOf } from './checks/instrument-cache.ts';
import { isConcealed } from './checks/is-concealed.ts';
import { type RegCfStanding, regCfStanding } from './checks/order-limits.ts';
import { readResaleInput, unknownBuyerFailure } from './checks/resale-failure.ts';
import { opennessFailures, partyFailures } from './checks/rules-without-terms.ts';
import type { OrderEntryContext } from './order-entry-context.ts';
import type { OrderEntryFailure } from './order-entry-failure.ts';

/** What an account may do in an asset now, by every rule that judges no terms of an order. */
export interface Eligibility {
  readonly instrument: Instrument;
  /** Everything that would refuse an order of the side, foremost first; none where an order is taken. */
  readonly buy: readonly OrderEntryFailure[];
  readonly sell: readonly OrderEntryFailure[];
  /** Scaled units of the asset. */
  readonly sellable: FreeToSell;
  /** Under Regulation Crowdfunding; null where that limits nothing, and where nobody can say in dollars how much. */
  readonly regCf: RegCfStanding | null;
  /** When the market opens: limit orders wait until then, others are refused. Unix milliseconds; null while it is open. */
  readonly opensAt: number | null;
}

/**
 * Answers before an order what placing one would: the rules are those of `checkOrder` and of admission, asked one by one. It places, holds and
 * records nothing.
 */
export async function readEligibility(
  { env, principal }: OrderEntryContext,
  assetId: string,
): Promise<Result<Eligibility, OrderEntryFailure>> {
  const { facts } = principal;
  if (facts === null) return err({ reason: 'no_account' });
  const instrument = await visibleInstrument(env, facts, assetId);
  if (!instrument.ok) return instrument;
  const { asset, market } = instrument.value;
  if (!(await settleBeforeRead(env, facts.accountId))) return err({ reason: 'unavailable' });
  const [balanceOf, input, halt] = await Promise.all([
    readBalances(env, facts.accountId),
    readResaleInput(env, instrument.value, facts),
    market === null ? null : readBook(env, market.symbol, (book) => book.ticker()),
  ]);
  if (balanceOf === null) return err({ reason: 'unavailable' });
  const { available } = balanceOf(asset.id);
  const unknownBuyer = unknownBuyerFailure(instrument.value);
  const sellable = asset.tracksLots ? freeToSell(input) : allFree(available);
  const regCf = await regCfStanding(env, facts, instrument.value, (held) => balanceOf(held).held);
  const standing = { principal, facts, instrument: instrument.value, haltedUntil: halt?.haltedUntil ?? null };
  return ok({
    instrument: instrument.value,
    buy: [...failuresOf(standing, 'buy'), ...regCfFailures(regCf)],
    sell: [...failuresOf(standing, 'sell'), ...(unknownBuyer === null ? resaleFailures(sellable) : [unknownBuyer])],
    sellable:
      unknownBuyer === null ? sellable : { ...sellable, free: 0, restricted: sellable.free + sellable.restricted },
    regCf: regCf.ok ? regCf.value : null,
    opensAt: opensAt(market?.tradingHours, Date.now()),
  });
}

interface Standing {
  readonly principal: Principal;
  readonly facts: AccountFacts;
  readonly instrument: Instrument;
  /** Of a halt that the book has begun by itself. */
  readonly haltedUntil: number | null;
}

function failuresOf({ principal, facts, instrument, haltedUntil }: Standing, side: Side): OrderEntryFailure[] {
  const route = routeOfAsset(instrument.asset);
  const openness = opennessFailures({ instrument, route, side, preIpo: null });
  const halted: OrderEntryFailure[] =
    haltedUntil === null || openness.length > 0
      ? []
      : [{ reason: 'market_not_open', status: 'halted', resumesAt: haltedUntil }];
  const now = Date.now();
  const party = { principal, facts, instrument, side, quantity: 0, now };
  return [...traderFailures(facts, now), ...openness, ...halted, ...partyFailures(party)];
}

/** Where nothing may be sold. Where less may be sold than the account has, the answer says how much. */
function resaleFailures({ free, restricted, rules, restrictionEndsAt }: FreeToSell): OrderEntryFailure[] {
  if (free > 0 || restricted === 0) return [];
  return [{ reason: 'resale_restricted', restrictionEndsAt, rules }];
}

function regCfFailures(read: Result<RegCfStanding | null, OrderEntryFailure>): OrderEntryFailure[] {
  if (!read.ok) return [read.error];
  const standing = read.value;
  if (standing === null || standing.used < standing.limit) return [];
  const [required, available] = [1, 0].map((units) => fromScaled(units, standing.scale)) as [number, number];
  return [{ reason: 'investment_limit_exceeded', required, available }];
}

function allFree(quantity: number): FreeToSell {
  return { free: quantity, restricted: 0, rules: [], restrictionEndsAt: null, next: [] };
}

/** An asset that is concealed from the account is unknown to it; whoever holds one knows of it. */
async function visibleInstrument(
  env: Env,
  facts: AccountFacts,
  assetId: string,
): Promise<Result<Instrument, OrderEntryFailure>> {
  const instrument = await instrumentOf(env, { assetId });
  if (instrument === 'unavailable') return err({ reason: 'unavailable' });
  const unknown: OrderEntryFailure = { reason: 'asset_not_found', assetId };
  if (instrument === null || !isListed(instrument.asset)) return err(unknown);
  const concealed = await isConcealed(env, facts, { instrument: { assetId }, side: 'sell' }, instrument.asset);
  if (concealed === 'unavailable') return err({ reason: 'unavailable' });
  return concealed ? err(unknown) : ok(instrument);
}
