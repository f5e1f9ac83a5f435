import { database } from '../../data/database.ts';
import { listMarkets } from '../../data/markets/markets.ts';
import type { BookStatus } from '../../durable-objects/order-book/api.ts';
import { orderBookOf } from '../../durable-objects/order-book/api.ts';

export interface BookOfVenue {
  readonly symbol: string;
  /** What the book says of itself; null for one that is out of reach. */
  readonly status: BookStatus | null;
}

/** Every order book, by symbol. */
export async function readBooks(env: Pick<Env, 'DB' | 'ORDER_BOOK'>): Promise<readonly BookOfVenue[]> {
  const symbols = (await listMarkets(database(env.DB))).map(({ symbol }) => symbol);
  const answers = await Promise.allSettled(symbols.map((symbol) => orderBookOf(env, symbol).status()));
  return symbols.map((symbol, index) => {
    const answer = answers[index];
    return { symbol, status: answer?.status === 'fulfilled' ? answer.value : null };
  });
}
