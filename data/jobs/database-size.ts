import { type SQL, sql } from 'drizzle-orm';
import type { StoreSize } from '../../domain/limits/store-growth.ts';
import type { Database } from '../database.ts';

/** Where no setting was noted yet. @internal */
export const REGISTERS_STOP_BYTES = 8_000_000_000;
/** Days of which sizes are kept. */
const DAYS_KEPT = 90;
const DAY_MS = 86_400_000;

/** How large a database is, by what D1 says of any statement. */
export async function databaseBytes(d1: D1Database): Promise<number> {
  return (await d1.prepare('SELECT 1').run()).meta.size_after;
}

/** Writes down for `registersHaveRoom` how large the database of the exchange is, and from where on registers take no rows. */
export async function noteDatabaseSize(
  db: Database,
  { bytes, stopBytes, now }: { readonly bytes: number; readonly stopBytes: number; readonly now: number },
): Promise<void> {
  await db.run(sql`
    INSERT INTO database_size (id, bytes, seen_at, stop_bytes)
    VALUES (1, CAST(${bytes} AS INTEGER), CAST(${now} AS INTEGER), CAST(${stopBytes} AS INTEGER))
    ON CONFLICT (id) DO UPDATE SET bytes = excluded.bytes, seen_at = excluded.seen_at, stop_bytes = excluded.stop_bytes`);
}

/** Condition: as it was last seen, the database has room for more than orders. */
export function registersHaveRoom(): SQL {
  return sql`NOT EXISTS (
    SELECT 1 FROM database_size WHERE bytes >= coalesce(stop_bytes, CAST(${REGISTERS_STOP_BYTES} AS INTEGER)))`;
}

export async function isDatabaseFull(db: Database): Promise<boolean> {
  const row = await db.get<{ hasRoom: number }>(sql`SELECT ${registersHaveRoom()} AS hasRoom`);
  return row?.hasRoom === 0;
}

/** Writes down how large a store is today; sizes of long ago go. */
export async function noteStoreSize(
  db: Database,
  {
    store,
    bytes,
    bytesMax,
    now,
  }: { readonly store: string; readonly bytes: number; readonly bytesMax: number; readonly now: number },
): Promise<void> {
  const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);
  await db.run(sql`
    INSERT INTO store_sizes (store, day, bytes, bytes_max, seen_at)
    VALUES (${store}, ${dayOf(now)}, CAST(${bytes} AS INTEGER), CAST(${bytesMax} AS INTEGER), CAST(${now} AS INTEGER))
    ON CONFLICT (store, day) DO UPDATE SET bytes = excluded.bytes, bytes_max = excluded.bytes_max, seen_at = excluded.seen_at`);
  await db.run(sql`DELETE FROM store_sizes WHERE store = ${store} AND day < ${dayOf(now - DAYS_KEPT * DAY_MS)}`);
}

export interface StoreSizeRow extends StoreSize {
  readonly store: string;
  readonly bytesMax: number;
}

/** Sizes of every store since a time, by store and day. */
export function listStoreSizes(db: Database, since: number): Promise<StoreSizeRow[]> {
  return db.all(sql`
    SELECT store, bytes, bytes_max AS bytesMax, seen_at AS seenAt FROM store_sizes
    WHERE seen_at >= CAST(${since} AS INTEGER) ORDER BY store, day`);
}
