import type { D1PreparedStatement } from '@cloudflare/workers-types';
import type { SQL } from 'drizzle-orm';
import { SQLiteAsyncDialect } from 'drizzle-orm/sqlite-core';
import type { Database } from './database.ts';
import { fitsD1, TEXT_BYTES_MAX } from './list-parts.ts';

const dialect = new SQLiteAsyncDialect({ casing: 'snake_case' });

/**
 * Runs SQL templates as one D1 batch, which is one transaction, and returns the rows of each. Drizzle's own `batch` loses the
 * parameters of `db.run(sql…)`, so written-out SQL goes through here.
 *
 * @typeParam Results the rows that each statement selects, as the caller has written them
 * @throws RangeError of a text that is longer than D1 takes: the local runtime takes it
 * @throws what D1 throws: a constraint that fails takes the whole batch back
 */
export async function sqlBatch<Results extends unknown[][] = unknown[][]>(
  db: Pick<Database, '$client'>,
  statements: readonly SQL[],
): Promise<Results> {
  const results = await db.$client.batch(statements.map((statement) => prepare(db, statement)));
  return results.map((result) => result.results) as Results;
}

/** The same, with how many rows D1 read for it: what is bounded by that ends there. */
export async function countedBatch<Row>(
  db: Pick<Database, '$client'>,
  statements: readonly SQL[],
): Promise<{ readonly results: readonly (readonly Row[])[]; readonly rowsRead: number }> {
  const results = await db.$client.batch<Row>(statements.map((statement) => prepare(db, statement)));
  return {
    results: results.map((result) => result.results),
    rowsRead: results.reduce((sum, { meta }) => sum + meta.rows_read, 0),
  };
}

function prepare(db: Pick<Database, '$client'>, statement: SQL): D1PreparedStatement {
  const { sql, params } = dialect.sqlToQuery(statement);
  for (const value of params) {
    if (typeof value === 'string' && !fitsD1(value))
      throw new RangeError(`a parameter has more than ${TEXT_BYTES_MAX} bytes`);
  }
  const prepared = db.$client.prepare(sql);
  return params.length === 0 ? prepared : prepared.bind(...params);
}
