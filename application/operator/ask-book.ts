import { type BookStatus, orderBookOf } from '../../durable-objects/order-book/api.ts';
import { withinTime } from '../objects/within-time.ts';

/** A book that takes longer counts as away. */
const BOOK_WAIT_MS = 3_000;

/** What a book says of itself; null of one that does not answer in time. */
export function askBook(env: Pick<Env, 'ORDER_BOOK'>, symbol: string): Promise<BookStatus | null> {
  return withinTime(BOOK_WAIT_MS, orderBookOf(env, symbol).status());
}
