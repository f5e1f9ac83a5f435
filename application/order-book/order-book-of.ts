import type { OrderBookApi } from '../../durable-objects/order-book/api.ts';

/**
 * A fresh stub of a market's book. After an exception a stub stays broken, so one is made for every call. The binding's type wraps
 * every value in disposables, which plain data never is; the object implements this interface.
 */
export function orderBookOf(env: Pick<Env, 'ORDER_BOOK'>, symbol: string): OrderBookApi {
  return env.ORDER_BOOK.getByName(symbol) as unknown as OrderBookApi;
}
