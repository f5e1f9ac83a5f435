import { type OrderBookApi, orderBookOf } from '../../durable-objects/order-book/api.ts';

/** Asks a market's book; once more, on a fresh stub, when the object is lost in between. */
export async function readBook<T>(
  env: Pick<Env, 'ORDER_BOOK'>,
  symbol: string,
  ask: (book: OrderBookApi) => Promise<T>,
): Promise<T> {
  try {
    return await ask(orderBookOf(env, symbol));
  } catch {
    return ask(orderBookOf(env, symbol));
  }
}
