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

/** A band reaches at least so many ticks to both sides: one that is narrower than a tick would let nothing trade at another price, so it would never move. */
export const LEAST_TICKS = 1;

/**
 * The price band of a market around its reference, or around its reference price before there is one. It never ends below a tick. Null: there is no band, or no
 * price to lay it around.
 *
 * @param leastTicks ticks that it reaches at least to both sides; 0 in rules of a book from before there were any
 */
export function priceBand(
  { bandBps, referencePrice, tickSize }: Pick<Market, 'bandBps' | 'referencePrice' | 'tickSize'>,
  { reference }: Pick<MarketPrices, 'reference'>,
  leastTicks: number = LEAST_TICKS,
): PriceBand | null {
  const middle = reference ?? referencePrice;
  if (bandBps === 0 || middle === null) return null;
  const width = mulDivFloor(middle, bandBps, BPS);
  const [low, high] = [middle - width, middle + width];
  const band = { low: low + ((tickSize - (low % tickSize)) % tickSize), high: high - (high % tickSize) };
  if (leastTicks === 0) return band;
  const ticks = leastTicks * tickSize;
  const [below, above] = [
    Math.ceil(middle / tickSize) * tickSize - ticks,
    Math.floor(middle / tickSize) * tickSize + ticks,
  ];
  return { low: Math.max(tickSize, Math.min(band.low, below)), high: Math.max(band.high, above) };
}

/** The limit that is left of one within the band: a buyer's is cut above, a seller's below. */
export function withinBand(band: PriceBand | null, side: 'buy' | 'sell', limit: number): number {
  if (band === null) return limit;
  return side === 'buy' ? Math.min(limit, band.high) : Math.max(limit, band.low);
}
