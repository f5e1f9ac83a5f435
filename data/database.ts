import type { D1Database } from '@cloudflare/workers-types';
import { drizzle } from 'drizzle-orm/d1';

/*
 * D1 database `exchange` (binding DB), its tables in data/schema/ by aggregate. Times are Unix milliseconds; amounts, prices and quantities
 * are scaled integers (domain/money). Tables of orders, trades, balances and lots are a projection of the ledger
 * (docs/design/ledger.md#projection). They carry no CHECK, because the ledger has judged what they hold. The views `postings` and
 * `settlements`, triggers and WITHOUT ROWID live in the SQL migrations, which Drizzle does not generate.
 */

/** Queries over the `exchange` database. `batch()` is the transaction: D1 has no BEGIN. */
export type Database = ReturnType<typeof database>;

/** Drizzle over a D1 binding, with the column casing of its tables. */
export function database(d1: D1Database) {
  return drizzle(d1, { casing: 'snake_case' });
}
