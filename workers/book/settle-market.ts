import { orderBookOf } from '../order-entry/order-book-of.ts';

/**
 * Waits until the trades that a market's book has acknowledged stand in the database, so that a read which follows sees them. A book
 * out of reach delays nothing further: the read then shows what has settled.
 */
export async function settleMarket(env: Env, symbol: string): Promise<void> {
  await Promise.allSettled([orderBookOf(env, symbol).settled()]);
}
