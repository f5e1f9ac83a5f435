import { carriedFamily } from '../../domain/accreditation/family.ts';
import { chargeFee } from '../../domain/fees/fee.ts';
import { exposureInDollars, type LimitRefusal, limitRefusal } from '../../domain/ledger/daily-limits.ts';
import { worstLoss } from '../../domain/ledger/limited-keys.ts';
import type { OrderAdmission } from '../../domain/ledger/records.ts';
import { type Market, notional } from '../../domain/markets/market.ts';
import { opensAt } from '../../domain/markets/trading-hours.ts';
import type { DollarRate } from '../../domain/money/dollar-rate.ts';
import { estimateFill, type FillEstimate } from '../../domain/order-entry/estimate-fill.ts';
import { sourceLevels } from '../../domain/order-entry/source-levels.ts';
import { ATTRIBUTE, type Party } from '../../domain/orders/eligibility.ts';
import type { OrderTerms } from '../../domain/orders/order.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import type { Level } from '../../durable-objects/order-book/api.ts';
import { admissionOf, prepareOrder } from '../../durable-objects/order-book/api.ts';
import { readSettledBalances } from '../ledger/balances.ts';
import { readDailyUse } from '../ledger/daily-use.ts';
import { hasSource, readSourceBook } from '../market-data/source-prices.ts';
import { readBook } from '../order-book/read-book.ts';
import { checkOrder } from './checks/check-order.ts';
import type { CheckedOrder } from './checks/checked-order.ts';
import { holdsFailure } from './checks/holds-failure.ts';
import { resaleOfFreeLots } from './checks/resale-failure.ts';
import type { OrderEntryContext } from './order-entry-context.ts';
import type { OrderEntryFailure } from './order-entry-failure.ts';
import type { OrderRequest } from './order-request.ts';
import { failureOfRefusal } from './routes/failure-of-refusal.ts';
import { quotedCommands } from './routes/quoted-commands.ts';

/** What an order would do now. Scaled integers of its market. */
export interface OrderPreview {
  readonly terms: OrderTerms;
  readonly market: Market;
  /** When the order would go to its broker, whose market is closed now, Unix milliseconds; null for one that waits for none. */
  readonly waitsUntil: number | null;
  /** The limit, or the collar of an order without one. */
  readonly worstPrice: number;
  /** Quote units of the whole order at that price. */
  readonly worstNotional: number;
  readonly fill: FillEstimate;
  /** False where the source of its prices says nothing now: nobody knows what would fill. */
  readonly isEstimated: boolean;
  /** Quote units, of what would fill at once. */
  readonly fee: number;
  /** What the order would hold, of the quote asset for a buy, of the base asset for a sale, and what the account has available of it. */
  readonly held: { readonly amount: number; readonly available: number };
}

export type PreviewOutcome = Result<OrderPreview, OrderEntryFailure>;

const LEVELS_MAX = 1_000;
const NOTHING: FillEstimate = { filled: 0, notional: 0 };

/**
 * Runs the checks of placing an order and those that its book and the ledger would make, against the book as it stands, and places
 * nothing. They run in the order of placing, so that both name the same failure, and nobody learns of a book what placing would not say.
 * The estimate is of what the caller may trade with; it knows no hidden quantity. Of an order that executes elsewhere it is what the venues there display,
 * and whether they fill it whole is theirs to say.
 */
export async function previewOrder(
  { env, principal }: OrderEntryContext,
  request: OrderRequest,
): Promise<PreviewOutcome> {
  const check = await checkOrder(env, principal, principal.facts, request, false);
  if (!check.ok) return err(check.error.failure);
  const { command, instrument, terms } = check.value;
  const { market, dollars } = instrument;
  if (market === null) return err({ reason: 'asset_not_tradeable', detail: 'no_market' });
  const now = Date.now();
  const { going, reference, haltedUntil } = await readBook(env, market.symbol, (book) => book.ticker());
  if (haltedUntil !== null) return err({ reason: 'market_not_open', status: 'halted', resumesAt: haltedUntil });
  const [quoted] = await quotedCommands(env, [check.value]);
  const last = quoted?.type === 'place' ? (quoted.quoted ?? going) : going;
  const prepared = prepareOrder(command, market, { last, reference }, now);
  if (!prepared.ok) return err(failureOfRefusal(prepared.error, { market, dollars }));
  const worstPrice = prepared.value.limit;
  const opens = opensAt(market.tradingHours, now);
  const levels = opens === null ? await levelsFor(env, check.value, market) : [];
  const fill = fillOf(terms, market, worstPrice, levels ?? []);
  const { holds } = prepared.value;
  const { allowanceAsset, positionAsset } = command;
  const balanceOf = await readSettledBalances(env, command.account);
  if (balanceOf === null) return err({ reason: 'unavailable' });
  const limited = await dailyLimitRefusal(env, admissionOf(prepared.value), market, command.rate ?? null);
  if (limited === 'unknown') return err({ reason: 'unavailable' });
  const available = (asset: string): number => balanceOf(asset).available;
  const reserveAsset = terms.side === 'buy' ? market.quoteAsset : market.baseAsset;
  const failure =
    holdsFailure({ ...holds, reserveAsset, allowanceAsset, positionAsset }, available, limited, { market, dollars }) ??
    (hasSource(instrument) ? null : bookFailure(terms, fill));
  if (failure !== null) return err(failure);
  const { fee } = chargeFee(0, fill.notional, market.takerFeeBps);
  const held = { amount: holds.reserve, available: available(reserveAsset) };
  const worstNotional = notional(market, worstPrice, terms.quantity);
  return ok({
    terms,
    market,
    waitsUntil: opens,
    worstPrice,
    worstNotional,
    fill,
    isEstimated: levels !== null,
    fee,
    held,
  });
}

/** What the order would meet: of its own book what it may trade with, elsewhere what the venues display together; null where nobody says so now. */
async function levelsFor(env: Env, checked: CheckedOrder, market: Market): Promise<readonly Level[] | null> {
  const { instrument, terms } = checked;
  if (!hasSource(instrument)) {
    const taker = { ...(await partyOf(env, checked)), side: terms.side, quantity: terms.quantity };
    return readBook(env, market.symbol, (book) => book.depthFor(taker, LEVELS_MAX));
  }
  const read = await readSourceBook(env, instrument, 'previews');
  if (!read.ok || read.value === null) return null;
  const { bids, asks } = read.value.value;
  return sourceLevels(terms.side === 'buy' ? asks : bids, market);
}

/** Whom the order could meet, as its book would decide it of the lots that are free now. */
async function partyOf(env: Env, { command, instrument, terms }: CheckedOrder): Promise<Party> {
  const { account, attributes, family = null } = command;
  let { requires } = command;
  if (terms.side === 'sell') {
    const seller = { accountId: account, usPerson: (attributes & ATTRIBUTE.non_us) === 0 };
    const resale = await resaleOfFreeLots(env, instrument, terms.quantity, seller);
    if (resale.allowed) requires = resale.requires;
  }
  const carried = carriedFamily({ side: terms.side, attributes, requires, family }, instrument.asset);
  return { account, attributes, requires, family: carried };
}

/** Why the daily limits of the caller's API key would refuse the order, as admission judges it. */
async function dailyLimitRefusal(
  env: Env,
  { account, keyId, daily }: OrderAdmission,
  { baseAsset: asset }: Market,
  rate: DollarRate | null,
): Promise<LimitRefusal | null | 'unknown'> {
  if (keyId === null || daily === null) return null;
  const use = await readDailyUse(env, { keyId, account, asset, quantity: daily.quantity });
  if (use === null) return 'unknown';
  const { notional, proceeds } = exposureInDollars(daily, rate);
  return limitRefusal(daily, use, notional, worstLoss(use.cost, proceeds));
}

/** A stop fills nothing before its trigger. */
function fillOf(terms: OrderTerms, market: Market, limit: number, levels: readonly Level[]): FillEstimate {
  if (terms.stopPrice !== null) return NOTHING;
  return estimateFill(market, { ...terms, limit }, levels);
}

function bookFailure({ type, timeInForce, quantity }: OrderTerms, { filled }: FillEstimate): OrderEntryFailure | null {
  if (filled > 0 && (type === 'limit_maker' || timeInForce === 'POST_ONLY')) return { reason: 'post_only_would_take' };
  return filled < quantity && timeInForce === 'FOK' ? { reason: 'fok_not_fillable' } : null;
}
