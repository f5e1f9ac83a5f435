import { env } from 'cloudflare:workers';
import { expect } from 'vitest';
import { runAudit } from '../../../data/audit/run-audit.ts';
import type { Database } from '../../../data/database.ts';
import { books } from '../../../data/schema.ts';

/** Waits until every book has settled and checks L1–L4 and the lots over the whole ledger of the test file. */
export async function expectRightLedger(db: Database): Promise<void> {
  const known = await db.select({ book: books.book }).from(books);
  await Promise.all(known.map(({ book }) => env.ORDER_BOOK.getByName(book).settled()));
  const rows = await runAudit(db);
  expect(rows.filter(({ holds }) => !holds)).toEqual([]);
}
