import { mulDivFloor } from '../money/arithmetic.ts';
import type { Market } from './market.ts';

const BPS = 10_000;

/** Prices that limits may have, both ends included; scaled by the market's `priceScale`. */
export interface PriceBand {
  readonly low: number;
  readonly high: number;
}

/**
 * The price band of a market around its last trade, or around its reference price before the first. Null: there is no band, or no
 * price to lay it around.
 */
export function priceBand(market: Pick<Market, 'bandBps' | 'referencePrice'>, last: number | null): PriceBand | null {
  const reference = last ?? market.referencePrice;
  if (market.bandBps === 0 || reference === null) return null;
  const width = mulDivFloor(reference, market.bandBps, BPS);
  return { low: reference - width, high: reference + width };
}
