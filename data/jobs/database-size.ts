import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../database.ts';

/** What D1 holds in one database (Cloudflare, limits of D1). */
export const DATABASE_BYTES_MAX = 10_000_000_000;
/** From here on it is told. */
export const DATABASE_BYTES_WARNED = 6_000_000_000;
/** From here on nobody adds rows to a register: what is left is for orders and what they settle. */
export const REGISTERS_STOP_BYTES = 8_000_000_000;

/** How large the database is, by what D1 says of any statement; it is written down for `registersHaveRoom`. */
export async function noteDatabaseSize(db: Database, now: number): Promise<number> {
  const { meta } = await db.$client.prepare('SELECT 1').run();
  const bytes = meta.size_after;
  await db.run(sql`
    INSERT INTO database_size (id, bytes, seen_at) VALUES (1, CAST(${bytes} AS INTEGER), CAST(${now} AS INTEGER))
    ON CONFLICT (id) DO UPDATE SET bytes = excluded.bytes, seen_at = excluded.seen_at`);
  return bytes;
}

/** Condition: as it was last seen, the database has room for more than orders. */
export function registersHaveRoom(): SQL {
  return sql`NOT EXISTS (SELECT 1 FROM database_size WHERE bytes >= CAST(${REGISTERS_STOP_BYTES} AS INTEGER))`;
}

export async function isDatabaseFull(db: Database): Promise<boolean> {
  const row = await db.get<{ hasRoom: number }>(sql`SELECT ${registersHaveRoom()} AS hasRoom`);
  return row?.hasRoom === 0;
}
