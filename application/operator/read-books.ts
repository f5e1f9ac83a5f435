import { database } from '../../data/database.ts';
import { listMarkets } from '../../data/markets/markets.ts';
import type { BookStatus } from '../../durable-objects/order-book/api.ts';
import { askBook } from './ask-book.ts';

export interface BookOfVenue {
  readonly symbol: string;
  /** What the book says of itself; null for one that does not answer in time. */
  readonly status: BookStatus | null;
}

/** Every order book, by symbol. */
export async function readBooks(env: Pick<Env, 'DB' | 'ORDER_BOOK'>): Promise<readonly BookOfVenue[]> {
  const symbols = (await listMarkets(database(env.DB))).map(({ symbol }) => symbol);
  return Promise.all(symbols.map(async (symbol) => ({ symbol, status: await askBook(env, symbol) })));
}
