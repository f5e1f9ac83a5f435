import type { MassCancelCommand } from '../../durable-objects/order-book/api.ts';
import type { LedgerEnv } from '../ledger/ledger-env.ts';
import { transact } from '../ledger/transact.ts';
import { submitToBook } from './submit-to-book.ts';

export interface CancelledOrders {
  readonly orderIds: readonly string[];
  /** Open orders whose end the broker was asked for. */
  readonly pendingOrderIds: readonly string[];
}

export interface BookCancellation extends CancelledOrders {
  /** Symbols of books that did not answer. */
  readonly unreachable: readonly string[];
}

/**
 * Cancels open orders in each of these books.
 *
 * @param askedBy ids of the ledger transactions that want it (a freeze, a revocation): confirmed book by book, so that the ledger asks
 * no longer
 */
export async function cancelInBooks(
  env: LedgerEnv,
  books: readonly string[],
  command: Omit<MassCancelCommand, 'type'>,
  askedBy: readonly string[] = [],
): Promise<BookCancellation> {
  const answers = await Promise.all(
    books.map(async (book) => {
      const result = (await submitToBook(env, book, [{ type: 'mass_cancel', ...command }]))?.[0];
      if (result?.type !== 'mass_cancelled') return null;
      await Promise.all(askedBy.map((id) => transact(env, { kind: 'cancelled', id, book })));
      return result;
    }),
  );
  return {
    orderIds: answers.flatMap((answer) => answer?.orderIds ?? []),
    pendingOrderIds: answers.flatMap((answer) => answer?.pendingOrderIds ?? []),
    unreachable: books.filter((_, index) => answers[index] === null),
  };
}
