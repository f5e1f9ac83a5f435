import { and, desc, eq, lt, sql } from 'drizzle-orm';
import { sqlBatch } from '../../sql-batch.ts';
import type { EventsDatabase } from '../database.ts';
import { staffTrail } from '../schema.ts';

export type StaffEntry = typeof staffTrail.$inferSelect;

/** Writes down that something is about to be done, once per id. False where a try before has written it down. */
export async function beginStaffEntry(
  db: EventsDatabase,
  entry: Omit<StaffEntry, 'sealedReason' | 'status'>,
): Promise<boolean> {
  const begun = await db.insert(staffTrail).values(entry).onConflictDoNothing().returning({ id: staffTrail.id });
  return begun.length === 1;
}

/** Writes down what is done at once, and cannot fail afterwards. */
export async function recordStaffEntry(
  db: EventsDatabase,
  entry: Omit<StaffEntry, 'sealedReason' | 'attendeeId' | 'attendeeTag' | 'eventId'>,
): Promise<void> {
  await db.insert(staffTrail).values(entry);
}

/** Deletes entries of before a time, the oldest first, at most so many. False where no more are left. */
export async function deleteStaffEntries(db: EventsDatabase, before: number, limit: number): Promise<boolean> {
  // An id begins with its time.
  const hex = before.toString(16).padStart(12, '0');
  const isOld = sql`id < ${`${hex.slice(0, 8)}-${hex.slice(8)}`}`;
  const [, left] = await sqlBatch(db, [
    sql`DELETE FROM staff_trail WHERE rowid IN (SELECT rowid FROM staff_trail WHERE ${isOld} ORDER BY id LIMIT ${limit})`,
    sql`SELECT 1 FROM staff_trail WHERE ${isOld} LIMIT 1`,
  ]);
  return (left?.length ?? 0) > 0;
}

/** Writes down what was answered. Whoever is no attendee any more is not named, nor what is theirs: they may have been erased meanwhile. */
export async function endStaffEntry(
  db: EventsDatabase,
  id: string,
  { status, sealedReason }: Pick<StaffEntry, 'status' | 'sealedReason'>,
): Promise<void> {
  const named = sql`(SELECT id FROM attendees WHERE attendees.id = ${staffTrail.attendeeId})`;
  const object = sql`CASE WHEN ${staffTrail.attendeeId} IS NULL OR EXISTS ${named} THEN ${staffTrail.object} END`;
  await db.update(staffTrail).set({ status, sealedReason, attendeeId: named, object }).where(eq(staffTrail.id, id));
}

/** Of a request that was refused: it changed and showed nothing. */
export async function dropStaffEntry(db: EventsDatabase, id: string): Promise<void> {
  await db.delete(staffTrail).where(and(eq(staffTrail.id, id), sql`${staffTrail.status} IS NULL`));
}

/**
 * Takes an attendee out of the trail: their ids, and those of what was theirs.
 *
 * @param tags of the same ids
 */
export async function forgetInTrail(
  db: EventsDatabase,
  eventId: string,
  { ids, tags }: { readonly ids: ReadonlySet<string>; readonly tags: readonly string[] },
): Promise<void> {
  await sqlBatch(db, [
    sql`
      UPDATE staff_trail SET attendee_id = NULL, object = NULL, sealed_reason = NULL
      WHERE event_id = ${eventId} AND attendee_id IN (SELECT value FROM json_each(${JSON.stringify([...ids])}))`,
    sql`
      UPDATE staff_trail SET attendee_tag = NULL, object = NULL
      WHERE event_id = ${eventId} AND attendee_tag IN (SELECT value FROM json_each(${JSON.stringify(tags)}))`,
  ]);
}

/** How long before a collection is made the request may have been written down that makes it. */
const MAKING_MS = 60_000;

/**
 * Takes the name of a deleted collection out of the trail. Entries of another that has the name since stay, with those of the minute before it was made:
 * they go with that one.
 */
export async function forgetCollectionInTrail(
  db: EventsDatabase,
  { id, tenant, name }: { readonly id: string; readonly tenant: string; readonly name: string },
): Promise<void> {
  await sqlBatch(db, [
    sql`
      UPDATE staff_trail SET object = NULL
      WHERE tenant = ${tenant} AND object = ${name} AND event_id IS NULL
        AND created_at < coalesce(
          (SELECT min(created_at) - ${MAKING_MS} FROM collections WHERE tenant = ${tenant} AND name = ${name} AND id <> ${id}),
          created_at + 1)`,
  ]);
}

/** Entries of one statement: a longer one would hold all others up. */
const ENTRIES_PER_UPDATE = 5_000;

/** Takes all attendees of a shredded event out of the trail, with what was theirs. */
export async function forgetEventInTrail(db: EventsDatabase, eventId: string): Promise<void> {
  const naming = sql`event_id = ${eventId} AND coalesce(attendee_id, attendee_tag, object) IS NOT NULL`;
  for (;;) {
    const [, left] = await sqlBatch(db, [
      sql`
        UPDATE staff_trail SET attendee_id = NULL, attendee_tag = NULL, object = NULL
        WHERE rowid IN (SELECT rowid FROM staff_trail WHERE ${naming} LIMIT ${ENTRIES_PER_UPDATE})`,
      sql`SELECT 1 FROM staff_trail WHERE ${naming} LIMIT 1`,
    ]);
    if (left === undefined || left.length === 0) return;
  }
}

export interface TrailPage {
  readonly tenant: string;
  /** Null for all events, and what belongs to none. */
  readonly eventId: string | null;
  /** The last entry of the page before. */
  readonly after: string | null;
  readonly limit: number;
}

/** The latest first. */
export async function listStaffEntries(
  db: EventsDatabase,
  { tenant, eventId, after, limit }: TrailPage,
): Promise<StaffEntry[]> {
  return db
    .select()
    .from(staffTrail)
    .where(
      and(
        eq(staffTrail.tenant, tenant),
        eventId === null ? undefined : eq(staffTrail.eventId, eventId),
        after === null ? undefined : lt(staffTrail.id, after),
      ),
    )
    .orderBy(desc(staffTrail.id))
    .limit(limit);
}
