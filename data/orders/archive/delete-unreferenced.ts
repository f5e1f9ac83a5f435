import { sql } from 'drizzle-orm';
import { DAY_MS } from '../../../domain/calendar/durations.ts';
import type { OrderStore } from './order-store.ts';

/** As long as D1 can be restored to an earlier time (Time Travel), and longer than any step or read takes. */
const KEPT_MS = 31 * DAY_MS;
const OBJECTS_MAX = 500;

/**
 * Deletes objects that no slice has named for a month. The row goes first, and a step lands only while its own rows stand: what it names
 * is never deleted. A crash in between leaves an object to which nothing refers.
 */
export async function deleteUnreferenced({ db, archive }: OrderStore, now: number): Promise<void> {
  const gone = await db.all<{ key: string }>(sql`
    DELETE FROM unreferenced_objects WHERE key IN (
      SELECT key FROM unreferenced_objects WHERE since < CAST(${now - KEPT_MS} AS INTEGER) LIMIT CAST(${OBJECTS_MAX} AS INTEGER))
    RETURNING key`);
  if (gone.length > 0) await archive.delete(gone.map(({ key }) => key));
}
