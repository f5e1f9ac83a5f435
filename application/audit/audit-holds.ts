import type { AuditRow } from '../../data/audit/audit-check.ts';
import { compareHolds } from '../../domain/ledger/compare-holds.ts';
import type { ReservationRow } from '../../domain/ledger/outcomes.ts';
import { ledgerOf } from '../../durable-objects/ledger/api.ts';
import { orderBookOf } from '../../durable-objects/order-book/api.ts';
import type { LedgerEnv } from '../ledger/ledger-env.ts';

/** A book that trades all the time may have something under way at each of them. */
const TRIES_MAX = 5;

/** Compares what the ledger reserves for the orders of each book with what the book's live orders hold, order by order. */
export async function auditHolds(env: LedgerEnv, books: readonly string[]): Promise<AuditRow> {
  let examined = 0;
  let violation: string | null = null;
  for (const book of books) {
    const both = await readBoth(env, book);
    // Out of reach, or never still: the caller names the books that did not settle.
    if (both === null) continue;
    examined += both.inLedger.length;
    const [difference] = compareHolds(both.inLedger, both.inBook);
    if (difference !== undefined) violation ??= `${book}: ${difference}`;
  }
  return {
    invariant: 'L3',
    claim: 'what the ledger reserves for each open order is what its book says that it holds',
    holds: violation === null,
    examined,
    violation,
  };
}

interface Both {
  readonly inLedger: readonly ReservationRow[];
  readonly inBook: readonly ReservationRow[];
}

/** Both sides of one moment: no batch has landed in between, and the book had nothing under way. */
async function readBoth(env: LedgerEnv, book: string): Promise<Both | null> {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    try {
      const before = await ledgerOf(env).fence(book);
      const inLedger = await ledgerOf(env).reservations(book);
      const inBook = await orderBookOf(env, book).holds();
      const after = await ledgerOf(env).fence(book);
      if (inBook !== null && before.owner === after.owner && before.batch === after.batch) return { inLedger, inBook };
    } catch {
      // An object was lost; fresh stubs find it again.
    }
    await orderBookOf(env, book)
      .settled()
      .catch(() => false);
  }
  return null;
}
