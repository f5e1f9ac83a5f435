import { orderBookOf } from '../../durable-objects/order-book/api.ts';
import { askAgain } from '../objects/ask-again.ts';
import type { LedgerEnv } from './ledger-env.ts';
import { openBooks } from './open-books.ts';
import { projected } from './projected.ts';

/** `unsettled`: some book is out of reach, or halted. `unreachable`: the ledger is. */
export type Settling = 'settled' | 'unsettled' | 'unreachable';

/**
 * Waits until the ledger has everything that the account's books have acknowledged. What was acknowledged and is not in the ledger yet
 * still holds something there, which names the books to ask.
 */
export async function settleBooks(env: LedgerEnv, account: string): Promise<Settling> {
  const books = await openBooks(env, account);
  if (books === null) return 'unreachable';
  const settled = await Promise.all(books.map((symbol) => settleBook(env, symbol)));
  return settled.every(Boolean) ? 'settled' : 'unsettled';
}

/** Waits until the ledger has what this book has acknowledged; asked once more when the object is lost. */
export async function settleBook(env: LedgerEnv, symbol: string): Promise<boolean> {
  try {
    return await askAgain(() => orderBookOf(env, symbol).settled());
  } catch {
    return false;
  }
}

/**
 * Waits until everything that the account's books have acknowledged stands in D1, so that a read which follows sees it
 * (docs/design/order-path.md#reads-after-writes).
 * A book that cannot settle, such as a halted one, delays nothing further: the read then shows what it has settled.
 *
 * @returns false when D1 is behind the ledger: the read must be refused, not answered from what is old
 */
export async function settleBeforeRead(env: LedgerEnv, account: string): Promise<boolean> {
  return (await settledForRead(env, account)) !== 'behind';
}

/**
 * The same, for whoever says how whole it is. `partial`: a book of the account could not settle, and what it has executed may appear among what is
 * read now. `behind`: the read must be refused.
 */
export async function settledForRead(env: LedgerEnv, account: string): Promise<'whole' | 'partial' | 'behind'> {
  const settling = await settleBooks(env, account);
  if (settling === 'unreachable' || !(await projected(env))) return 'behind';
  return settling === 'settled' ? 'whole' : 'partial';
}

/** Waits until the trades of a market stand in D1, as far as that can be: market data shows what there is. */
export async function settleMarket(env: LedgerEnv, symbol: string): Promise<void> {
  await settleBook(env, symbol);
  await projected(env);
}
