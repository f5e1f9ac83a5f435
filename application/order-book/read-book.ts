import { type OrderBookApi, orderBookOf } from '../../durable-objects/order-book/api.ts';
import { askAgain } from '../objects/ask-again.ts';

/** Asks a market's book; once more when the object is lost in between. */
export function readBook<T>(
  env: Pick<Env, 'ORDER_BOOK'>,
  symbol: string,
  ask: (book: OrderBookApi) => Promise<T>,
): Promise<T> {
  return askAgain(() => ask(orderBookOf(env, symbol)));
}
