import type { MassCancelCommand } from '../../durable-objects/order-book/api.ts';
import type { LedgerEnv } from '../ledger/ledger-env.ts';
import { openBooks } from '../ledger/open-books.ts';
import { settleBook } from '../ledger/settle-before-read.ts';
import { type CancelledOrders, cancelInBooks } from './cancel-in-books.ts';

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
): Promise<CancelledOrders> {
  const orderIds: string[] = [];
  let books = cancelIn;
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const cancelled = await cancelInBooks(env, books, command, round === 0 ? askedBy : []);
    orderIds.push(...cancelled.orderIds);
    if (cancelled.unreachable.length > 0) return { orderIds, unreachable: cancelled.unreachable };
    if (round > 0 && cancelled.orderIds.length === 0) return { orderIds, unreachable: [] };
    await Promise.all(books.map((symbol) => settleBook(env, symbol)));
    const open = await openBooks(env, command.account);
    if (open === null) return { orderIds, unreachable: books };
    if (open.length === 0) return { orderIds, unreachable: [] };
    books = open;
  }
  return { orderIds, unreachable: books };
}
