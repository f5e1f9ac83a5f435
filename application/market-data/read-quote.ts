import { database } from '../../data/database.ts';
import { findMarket } from '../../data/markets/markets.ts';
import { fromScaled } from '../../domain/money/scaled.ts';
import { readBook } from '../order-book/read-book.ts';

/** Best prices and last trade of a market, as numbers; null each where there is none. */
export interface MarketQuote {
  readonly bid: number | null;
  readonly ask: number | null;
  readonly last: number | null;
}

/** The quote of a market as its book has it now; null for a market that is not there. */
export async function readQuote(env: Env, symbol: string): Promise<MarketQuote | null> {
  const market = await findMarket(database(env.DB), symbol);
  if (market === null) return null;
  const { bid, ask, last } = await readBook(env, symbol, (book) => book.ticker());
  const price = (scaled: number | null) => (scaled === null ? null : fromScaled(scaled, market.priceScale));
  return { bid: price(bid), ask: price(ask), last: price(last) };
}
