import { database } from '../../../data/database.ts';
import { listBooksWithOpenOrders } from '../../../data/orders.ts';
import { submitToBook } from '../../order-entry/submit-to-book.ts';

/**
 * Cancels every open order of an account whose facts no longer admit it (DESIGN 8). The facts have changed before, so that nothing
 * further is admitted while the books answer.
 *
 * @returns ids of the orders that were cancelled, or null when a book stayed out of reach
 */
export async function cancelOpenOrders(env: Env, account: string): Promise<string[] | null> {
  const books = await listBooksWithOpenOrders(database(env.DB), account);
  const answers = await Promise.all(
    books.map((symbol) =>
      submitToBook(env, symbol, [{ type: 'mass_cancel', account, keyId: null, side: null, reason: 'revoked' }]),
    ),
  );
  const cancelled: string[] = [];
  for (const answer of answers) {
    const [result] = answer ?? [];
    if (result?.type !== 'mass_cancelled') return null;
    cancelled.push(...result.orderIds);
  }
  return cancelled;
}
