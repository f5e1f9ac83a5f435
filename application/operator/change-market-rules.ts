import type { OperatorAction } from '../../data/audit/trail/operator-events.ts';
import { findAsset } from '../../data/catalog/assets.ts';
import { database } from '../../data/database.ts';
import { findMarket } from '../../data/markets/markets.ts';
import type { MarketRules } from '../../domain/ledger/transactions.ts';
import type { Market } from '../../domain/markets/market.ts';
import { bandError } from '../../domain/markets/routed-market-error.ts';
import type { TradingHours } from '../../domain/markets/trading-hours.ts';
import { toScaled } from '../../domain/money/scaled.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';
import { changeMarket } from '../ledger/change-market.ts';
import { reconfigureBook } from '../order-book/reconfigure-book.ts';
import { takeOverHalt } from '../partner/securities/change-security.ts';
import { marketChangeError } from './market-change-error.ts';
import { noSuchMarket } from './not-found.ts';
import { numberError } from './number-error.ts';

/** Rules that an operator states, in numbers of the market; those left out stay as they are. */
export interface StatedRules {
  readonly minSize?: number | undefined;
  readonly maxSize?: number | undefined;
  readonly makerFeeBps?: number | undefined;
  readonly takerFeeBps?: number | undefined;
  readonly bandBps?: number | undefined;
  readonly bandHaltSeconds?: number | undefined;
  readonly tradingHours?: TradingHours | undefined;
  readonly referencePrice?: number | null | undefined;
}

export interface AppliedRules {
  readonly market: Market;
  readonly before: MarketRules;
  readonly after: MarketRules;
}

/** Changes sizes, fees, band and hours of a market. */
export async function changeMarketRules(
  env: Env,
  symbol: string,
  stated: StatedRules,
  action: OperatorAction,
): Promise<Result<AppliedRules, ApiError>> {
  const market = await findMarket(database(env.DB), symbol);
  if (market === null) return err(noSuchMarket());
  // One that stands with a band from before it was refused may have all else changed.
  const refusal = bandError(market.route, stated.bandBps ?? 0);
  if (refusal !== null) return err(marketChangeError(refusal));
  const rules = scaledRules(stated, market);
  return rules.ok ? applyMarketRules(env, market, rules.value, action) : rules;
}

/** Halts a market, which cancels its open orders, or lets it take orders again. */
export async function setMarketHalted(
  env: Env,
  symbol: string,
  halted: boolean,
  action: OperatorAction,
): Promise<Result<AppliedRules, ApiError>> {
  const market = await findMarket(database(env.DB), symbol);
  if (market === null) return err(noSuchMarket());
  if (!halted) {
    const base = await findAsset(database(env.DB), market.baseAsset);
    const quote = await findAsset(database(env.DB), market.quoteAsset);
    const closed = [base, quote].find((asset) => asset !== null && asset.status !== 'APPROVED');
    if (closed != null)
      return err(apiError('CONFLICT', `${closed.symbol} is ${closed.status}: approve it first`, { asset: closed.id }));
  }
  if (!halted) return applyMarketRules(env, market, { status: 'open' }, action);
  // Before, so that no lift of the lister's opens it meanwhile; after, for a halt that the lister has made meanwhile.
  const halt = { asset: market.baseAsset, reason: action.reason ?? 'an operator has halted its market' };
  const takenOver = await takeOverHalt(env, halt, action);
  if (!takenOver.ok) return takenOver;
  const applied = await applyMarketRules(env, market, { status: 'halted' }, action);
  if (!applied.ok) return applied;
  const again = await takeOverHalt(env, halt, action);
  return again.ok ? applied : again;
}

/** Changes rules of a market and has its book read them; a halt is answered once the book has cancelled its open orders. */
async function applyMarketRules(
  env: Env,
  market: Market,
  rules: Partial<MarketRules>,
  action: OperatorAction,
): Promise<Result<AppliedRules, ApiError>> {
  const { symbol } = market;
  const change = await changeMarket(env, { symbol, rules, action, now: Date.now() });
  if (!change.ok) return err(marketChangeError(change.error));
  if (!(await reconfigureBook(env, symbol))) {
    const message = 'the rules have changed, but the book did not answer; repeat with the same Idempotency-Key';
    return err(apiError('SERVICE_UNAVAILABLE', message));
  }
  return ok({ market, ...change.value });
}

function scaledRules(
  { minSize, maxSize, referencePrice, ...rules }: StatedRules,
  { quantityScale, priceScale }: Market,
): Result<Partial<MarketRules>, ApiError> {
  const scaled: Record<string, number | null> = referencePrice === null ? { referencePrice: null } : {};
  const numbers = [
    { rule: 'quantityMin', field: 'minSize', value: minSize, scale: quantityScale },
    { rule: 'quantityMax', field: 'maxSize', value: maxSize, scale: quantityScale },
    { rule: 'referencePrice', field: 'referencePrice', value: referencePrice ?? undefined, scale: priceScale },
  ];
  for (const { rule, field, value, scale } of numbers) {
    if (value === undefined) continue;
    const result = toScaled(value, scale);
    if (!result.ok) return err(numberError(field, result.error));
    scaled[rule] = result.value;
  }
  const stated = Object.entries({ ...rules, ...scaled }).filter(([, value]) => value !== undefined);
  return ok(Object.fromEntries(stated));
}
