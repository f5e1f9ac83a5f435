import type { OrderTerms } from '../orders/order.ts';

/** The end of the year 9999, Unix milliseconds: later times have no RFC 3339 form. */
export const TIME_MAX_MS = Date.UTC(10_000, 0) - 1;

/**
 * Every number of an order that is stored anywhere, as rejected too, is a positive safe integer or absent.
 *
 * @throws RangeError when one is not: whoever checked the order has let it through
 */
export function assertStorable({
  quantity,
  price,
  stopPrice,
  expiresAt,
}: Pick<OrderTerms, 'quantity' | 'price' | 'stopPrice' | 'expiresAt'>): void {
  assertPositive('quantity', quantity);
  if (price !== null) assertPositive('price', price);
  if (stopPrice !== null) assertPositive('stop price', stopPrice);
  if (expiresAt !== null) assertPositive('expiry', expiresAt);
}

function assertPositive(what: string, amount: number): void {
  if (!(amount > 0 && Number.isSafeInteger(amount))) throw new RangeError(`an order of ${what} ${amount}`);
}
