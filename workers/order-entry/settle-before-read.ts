import { database } from '../../data/database.ts';
import { listBooksWithOpenOrders } from '../../data/orders.ts';
import { orderBookOf } from './order-book-of.ts';

/**
 * Waits until everything that the account's books have acknowledged stands in the database, so that a read which follows sees it
 * (DESIGN 15). What was acknowledged but has not settled is still open there, which names the books to ask. A book out of reach
 * delays nothing further: the read then shows what has settled.
 */
export async function settleBeforeRead(env: Env, account: string): Promise<void> {
  const books = await listBooksWithOpenOrders(database(env.DB), account);
  await Promise.allSettled(books.map((symbol) => orderBookOf(env, symbol).settled()));
}
