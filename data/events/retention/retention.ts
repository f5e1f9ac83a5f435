import { and, asc, eq, isNotNull, isNull, lte, ne, or, type SQL, sql } from 'drizzle-orm';
import { sqlBatch } from '../../sql-batch.ts';
import type { EventsDatabase } from '../database.ts';
import { events } from '../schema.ts';
import type { EventRow } from '../sites/events.ts';

/** Events whose retention period is over and that are not wholly shredded, the longest overdue first; `after` is the last of the page before. */
export async function findEventsToShred(
  db: EventsDatabase,
  { now, after, limit }: { readonly now: number; readonly after: EventRow | null; readonly limit: number },
): Promise<EventRow[]> {
  const isLater = after === null ? undefined : sql`(${events.shredAt}, ${events.id}) > (${after.shredAt}, ${after.id})`;
  return db
    .select()
    .from(events)
    .where(and(lte(events.shredAt, now), isNull(events.shreddedAt), isLater))
    .orderBy(asc(events.shredAt), asc(events.id))
    .limit(limit);
}

/**
 * Ends the retention period now of an event that another person has deleted, or whose period is over. False for any other.
 *
 * @param person user id; null of a machine, which ends nothing early
 */
export async function endRetention(
  db: EventsDatabase,
  { id, person, now }: { readonly id: string; readonly person: string | null; readonly now: number },
): Promise<boolean> {
  const byAnother =
    person === null
      ? undefined
      : and(isNotNull(events.deletedBy), ne(events.deletedBy, person), eq(events.deletedByMachine, false));
  const ended = await db
    .update(events)
    .set({ shredAt: sql`min(${events.shredAt}, ${now})` })
    .where(and(eq(events.id, id), isNotNull(events.deletedAt), or(lte(events.shredAt, now), byAnother)))
    .returning({ id: events.id });
  return ended.length === 1;
}

export async function recordKeyDestroyed(db: EventsDatabase, id: string, now: number): Promise<void> {
  await db
    .update(events)
    .set({ keyDestroyedAt: sql`coalesce(${events.keyDestroyedAt}, ${now})` })
    .where(eq(events.id, id));
}

export async function recordShredded(db: EventsDatabase, id: string, now: number): Promise<void> {
  await db
    .update(events)
    .set({ shreddedAt: sql`coalesce(${events.shreddedAt}, ${now})` })
    .where(eq(events.id, id));
}

/** Rows of one statement: a longer one would hold all others up. */
const ROWS_PER_DELETE = 5_000;

/** Deletes all rows of an event but its own. Repeated after an interruption it goes on. */
export async function deleteEventContents(db: EventsDatabase, eventId: string): Promise<void> {
  const ofEvent = sql`event_id = ${eventId}`;
  const ofCollection = sql`collection_id IN (SELECT id FROM collections WHERE event_id = ${eventId})`;
  // What refers to another table goes before it.
  await deleteRows(db, 'faces', ofCollection);
  await deleteRows(db, 'photos', ofCollection);
  for (const table of TABLES_OF_EVENT) await deleteRows(db, table, ofEvent);
}

const TABLES_OF_EVENT = [
  'outgoing_events',
  'room_watches',
  'match_reviews',
  'erasures',
  'collections',
  'frames',
  'frame_pictures',
  'room_spans',
  'room_movements',
  'timeline',
  'corrections',
  'invites',
  'attendee_aliases',
  'attendees',
  'camera_credentials',
  'cameras',
  'rooms',
] as const;

async function deleteRows(
  db: EventsDatabase,
  table: 'faces' | 'photos' | (typeof TABLES_OF_EVENT)[number],
  which: SQL,
): Promise<void> {
  const rows = sql`SELECT rowid FROM ${sql.raw(table)} WHERE ${which} LIMIT ${ROWS_PER_DELETE}`;
  for (;;) {
    const [, left] = await sqlBatch(db, [
      sql`DELETE FROM ${sql.raw(table)} WHERE rowid IN (${rows})`,
      sql`SELECT 1 FROM ${sql.raw(table)} WHERE ${which} LIMIT 1`,
    ]);
    if (left === undefined || left.length === 0) return;
  }
}
