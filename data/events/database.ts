import type { D1Database } from '@cloudflare/workers-types';
import { drizzle } from 'drizzle-orm/d1';
import * as schema from './schema.ts';

/** Queries over the `events` database. `batch()` is the transaction. */
export type EventsDatabase = ReturnType<typeof eventsDatabase>;

export function eventsDatabase(d1: D1Database) {
  return drizzle(d1, { schema, casing: 'snake_case' });
}
