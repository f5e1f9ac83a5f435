import type { Market } from '../../domain/markets/market.ts';
import { fromScaled } from '../../domain/money/scaled.ts';
import { readBook } from './read-book.ts';

/** A market's levels, best first, as numbers, with the sequence of the last change that they include. */
export async function readOrderBook(env: Env, { symbol, priceScale, quantityScale }: Market, depth: number) {
  const { bids, asks, sequence } = await readBook(env, symbol, (object) => object.depth(depth));
  const level = ([price, quantity]: readonly [number, number]) => ({
    price: fromScaled(price, priceScale),
    size: fromScaled(quantity, quantityScale),
  });
  return { symbol, bids: bids.map(level), asks: asks.map(level), sequence, timestamp: Date.now() };
}
