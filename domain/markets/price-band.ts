import { mulDivFloor } from '../money/arithmetic.ts';
import type { Market } from './market.ts';

const BPS = 10_000;

/** Prices that limits may have and that trades happen at, both ends included; scaled by the market's `priceScale`, and on its tick. */
export interface PriceBand {
  readonly low: number;
  readonly high: number;
}

/** What a market's prices are judged by: scaled, null before the first of their kind. */
export interface MarketPrices {
  /** What the last trades of the book come to: its going price; of a routed market what the broker quotes, or executed last. */
  readonly last: number | null;
  /** The price that the price band lies around; null before there is one. */
  readonly reference: number | null;
}

export const NO_PRICES: MarketPrices = { last: null, reference: null };

/**
 * The price band of a market around its reference, or around its reference price before there is one. Null: there is no band, or no
 * price to lay it around.
 */
export function priceBand(
  { bandBps, referencePrice, tickSize }: Pick<Market, 'bandBps' | 'referencePrice' | 'tickSize'>,
  { reference }: Pick<MarketPrices, 'reference'>,
): PriceBand | null {
  const middle = reference ?? referencePrice;
  if (bandBps === 0 || middle === null) return null;
  const width = mulDivFloor(middle, bandBps, BPS);
  const [low, high] = [middle - width, middle + width];
  return { low: low + ((tickSize - (low % tickSize)) % tickSize), high: high - (high % tickSize) };
}

/** The limit that is left of one within the band: a buyer's is cut above, a seller's below. */
export function withinBand(band: PriceBand | null, side: 'buy' | 'sell', limit: number): number {
  if (band === null) return limit;
  return side === 'buy' ? Math.min(limit, band.high) : Math.max(limit, band.low);
}
