import type { OperatorAction } from '../../data/audit/trail/operator-events.ts';
import { findAsset } from '../../data/catalog/assets.ts';
import { database } from '../../data/database.ts';
import { type MarketTerms, openMarket } from '../../data/markets/markets.ts';
import { defaultBand } from '../../domain/markets/default-band.ts';
import type { MarketRoute } from '../../domain/markets/market.ts';
import type { TradingHours } from '../../domain/markets/trading-hours.ts';
import { toScaled } from '../../domain/money/scaled.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';
import { marketChangeError } from './market-change-error.ts';
import { noSuchAsset } from './not-found.ts';
import { numberError } from './number-error.ts';

/** What an operator says of a market; prices and sizes in numbers of its assets. */
export interface MarketToOpen {
  readonly baseAssetId: string;
  readonly quoteAssetId: string;
  /** Where its orders execute: for good. */
  readonly route: MarketRoute;
  /** Decimals of a price. */
  readonly priceScale: number;
  readonly tickSize: number;
  readonly lotSize: number;
  readonly minSize: number;
  readonly maxSize: number;
  readonly makerFeeBps: number;
  readonly takerFeeBps: number;
  /** Left out: what markets of its route have by default. */
  readonly bandBps?: number | undefined;
  readonly bandHaltSeconds?: number | undefined;
  readonly tradingHours: TradingHours;
  readonly referencePrice: number | null;
}

export interface OpenedMarket {
  readonly symbol: string;
  readonly terms: Required<MarketTerms>;
  /** Decimals of a quantity. */
  readonly quantityScale: number;
}

/** Opens a pair with an order book of its own. Tick, lot and scale are for good. */
export async function openNewMarket(
  env: Env,
  market: MarketToOpen,
  action: OperatorAction,
): Promise<Result<OpenedMarket, ApiError>> {
  const db = database(env.DB);
  const base = await findAsset(db, market.baseAssetId);
  if (base === null) return err(noSuchAsset({ field: 'baseAssetId' }));
  const terms = termsOf(market, base.scale, Date.now());
  if (!terms.ok) return terms;
  const opened = await openMarket(db, terms.value, action);
  if (!opened.ok) {
    const { error } = opened;
    if (error.reason === 'symbol_taken') return err(apiError('CONFLICT', 'the market exists'));
    if (error.reason !== 'security_has_market') return err(marketChangeError(error));
    return err(apiError('CONFLICT', 'a security that partners have listed has one market', { reason: error.reason }));
  }
  return ok({ symbol: opened.value, terms: terms.value, quantityScale: base.scale });
}

function termsOf(market: MarketToOpen, quantityScale: number, now: number): Result<Required<MarketTerms>, ApiError> {
  const { priceScale } = market;
  const scaled = { tickSize: 0, lotSize: 0, minSize: 0, maxSize: 0, referencePrice: 0 };
  const scales = {
    tickSize: priceScale,
    lotSize: quantityScale,
    minSize: quantityScale,
    maxSize: quantityScale,
    referencePrice: priceScale,
  };
  for (const field of Object.keys(scaled) as (keyof typeof scaled)[]) {
    const result = toScaled(market[field] ?? 0, scales[field]);
    if (!result.ok) return err(numberError(field, result.error));
    scaled[field] = result.value;
  }
  return ok({
    baseAsset: market.baseAssetId,
    quoteAsset: market.quoteAssetId,
    route: market.route,
    priceScale,
    tickSize: scaled.tickSize,
    lotSize: scaled.lotSize,
    quantityMin: scaled.minSize,
    quantityMax: scaled.maxSize,
    makerFeeBps: market.makerFeeBps,
    takerFeeBps: market.takerFeeBps,
    bandBps: market.bandBps ?? defaultBand(market.route).bandBps,
    bandHaltSeconds: market.bandHaltSeconds ?? defaultBand(market.route).bandHaltSeconds,
    tradingHours: market.tradingHours,
    referencePrice: market.referencePrice === null ? null : scaled.referencePrice,
    createdAt: now,
  });
}
