import type { MassCancelCommand } from '../../durable-objects/order-book/api.ts';
import type { LedgerEnv } from '../ledger/ledger-env.ts';
import { openBooks } from '../ledger/open-books.ts';
import { settleBook } from '../ledger/settle-before-read.ts';
import { type BookCancellation, cancelInBooks } from './cancel-in-books.ts';

/** A round that follows cancels what was on its way during the last one. */
const ROUNDS_MAX = 5;

export interface Cancellation {
  readonly command: Omit<MassCancelCommand, 'type' | 'account'> & { readonly account: string };
  /** Books in which to begin, by the ledger transactions that ask for it. */
  readonly cancelIn: readonly string[];
  readonly askedBy: readonly string[];
}

/**
 * Cancels open orders in these books, then in whichever the ledger still names, until there are none, or those that there are belong to
 * others (another key of the account).
 */
export async function cancelUntilNone(
  env: LedgerEnv,
  { command, cancelIn, askedBy }: Cancellation,
): Promise<BookCancellation> {
  const ended = new Set<string>();
  const pending = new Set<string>();
  const outcome = (unreachable: readonly string[]): BookCancellation => ({
    orderIds: [...ended],
    pendingOrderIds: [...pending].filter((orderId) => !ended.has(orderId)),
    unreachable,
  });
  let books = cancelIn;
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const cancelled = await cancelInBooks(env, books, command, round === 0 ? askedBy : []);
    for (const orderId of cancelled.orderIds) ended.add(orderId);
    for (const orderId of cancelled.pendingOrderIds) pending.add(orderId);
    if (cancelled.unreachable.length > 0) return outcome(cancelled.unreachable);
    if (round > 0 && cancelled.orderIds.length === 0) return outcome([]);
    await Promise.all(books.map((symbol) => settleBook(env, symbol)));
    const open = await openBooks(env, command.account);
    if (open === null) return outcome(books);
    if (open.length === 0) return outcome([]);
    books = open;
  }
  return outcome(books);
}
