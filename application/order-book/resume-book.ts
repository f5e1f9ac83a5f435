import {
  findOperatorChange,
  type OperatorAction,
  recordOperatorAction,
} from '../../data/audit/trail/operator-events.ts';
import { database } from '../../data/database.ts';
import { type BookStatus, orderBookOf } from '../../durable-objects/order-book/api.ts';
import { readBook } from './read-book.ts';

export interface Resumption {
  readonly symbol: string;
  readonly action: OperatorAction;
  /** Why the operator holds that the book may go on. */
  readonly reason: string;
  /** Unix milliseconds. */
  readonly now: number;
}

export type ResumptionOutcome =
  /** The halt was cleared and the book has recovered; where its cause is still there, `status.halted` says so anew. */
  | { readonly type: 'tried'; readonly status: BookStatus }
  | { readonly type: 'not_halted' }
  /** The book, or D1 for the audit trail, did not answer: the same action may be repeated. */
  | { readonly type: 'unreachable' };

/** Lets a halted book try again. Who did it, and why, is written down first: nobody clears a halt unseen. */
export async function resumeBook(
  env: Pick<Env, 'DB' | 'ORDER_BOOK'>,
  { symbol, action, reason, now }: Resumption,
): Promise<ResumptionOutcome> {
  try {
    const db = database(env.DB);
    if ((await findOperatorChange(db, action, symbol)) === null) {
      const { halted } = await readBook(env, symbol, (book) => book.status());
      if (halted === null) return { type: 'not_halted' };
      const event = { action, type: 'operator.book_resume', subject: symbol, createdAt: now, details: { reason } };
      await recordOperatorAction(db, { ...event, before: { halted }, after: { halted: null } });
    }
    return { type: 'tried', status: await orderBookOf(env, symbol).resume() };
  } catch {
    return { type: 'unreachable' };
  }
}
