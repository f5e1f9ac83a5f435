import type { D1Database } from '@cloudflare/workers-types';
import { drizzle } from 'drizzle-orm/d1';
import * as schema from './schema.ts';

/** Queries over the `exchange` database. `batch()` is the transaction: D1 has no BEGIN. */
export type Database = ReturnType<typeof database>;

/** Drizzle over a D1 binding, with the schema and its column casing. */
export function database(d1: D1Database) {
  return drizzle(d1, { schema, casing: 'snake_case' });
}
