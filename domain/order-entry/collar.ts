import type { Market } from '../markets/market.ts';
import { mulDivCeil, mulDivFloor } from '../money/arithmetic.ts';
import type { OrderTerms } from '../orders/order.ts';
import { PRICE_MAX } from './exact-notional.ts';

/** Market orders and triggered stops never trade further than this from their reference price (docs/design/money.md#collars). */
const COLLAR_BPS = 500;
const BPS = 10_000;

/**
 * The engine's limit: the client's, or the collar around the stop or reference price. Null: there is nothing to go by.
 * @param last last trade price of the book, null before the first
 */
export function collaredPrice(terms: OrderTerms, market: Market, last: number | null): number | null {
  if (terms.price !== null) return terms.price;
  const reference = terms.stopPrice ?? last ?? market.referencePrice;
  const around = reference && Math.min(reference, PRICE_MAX);
  if (around === null) return terms.side === 'sell' ? market.tickSize : null;
  const { tickSize } = market;
  if (terms.side === 'buy') {
    const collar = mulDivFloor(around, BPS + COLLAR_BPS, BPS);
    return Math.max(tickSize, collar - (collar % tickSize));
  }
  const collar = mulDivCeil(around, BPS - COLLAR_BPS, BPS);
  return Math.max(tickSize, collar + ((tickSize - (collar % tickSize)) % tickSize));
}
