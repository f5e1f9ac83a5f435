import type { Market } from '../markets/market.ts';
import { type MarketPrices, priceBand, withinBand } from '../markets/price-band.ts';
import { mulDivCeil, mulDivFloor } from '../money/arithmetic.ts';
import type { OrderTerms, Side } from '../orders/order.ts';
import { PRICE_MAX } from './exact-notional.ts';

/** Market orders and triggered stops never trade further than this from their reference price (docs/design/money.md#collars). */
const COLLAR_BPS = 500;
const BPS = 10_000;

/**
 * The engine's limit: the client's, the collar around the stop price, or the collar around what the market goes by, cut by the price band.
 * Null: there is nothing to go by, for a stop neither, since what reaches its stop price could be anybody's single trade.
 */
export function collaredPrice(terms: OrderTerms, market: Market, prices: MarketPrices): number | null {
  const { side, price, stopPrice } = terms;
  if (price !== null) return price;
  // The band lies where a stated price has come to since, as by a split.
  const stated = market.referencePrice === null ? null : (prices.reference ?? market.referencePrice);
  const reference = prices.last ?? stated;
  if (reference === null) return null;
  // The band of the moment at which a stop triggers is not known yet: the engine cuts it then.
  if (stopPrice !== null) return collarAround(stopPrice, side, market);
  return withinBand(priceBand(market, prices), side, collarAround(reference, side, market));
}

/** The price that an order without a limit never trades beyond, on the tick. */
export function collarAround(reference: number, side: Side, { tickSize }: Pick<Market, 'tickSize'>): number {
  const around = Math.min(reference, PRICE_MAX);
  if (side === 'buy') {
    const collar = mulDivFloor(around, BPS + COLLAR_BPS, BPS);
    return Math.max(tickSize, collar - (collar % tickSize));
  }
  const collar = mulDivCeil(around, BPS - COLLAR_BPS, BPS);
  return Math.max(tickSize, collar + ((tickSize - (collar % tickSize)) % tickSize));
}
