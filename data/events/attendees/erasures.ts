import { and, asc, eq, gt, lte, ne, or, sql } from 'drizzle-orm';
import { sqlBatch } from '../../sql-batch.ts';
import type { EventsDatabase } from '../database.ts';
import { erasures } from '../schema.ts';

/** An attendee who is to be erased. */
export type Erasure = typeof erasures.$inferSelect;

/**
 * Writes down that an attendee is to be erased; the first request keeps its date. Where a machine has asked, a person who asks as well takes its place.
 *
 * @returns what stands; null where they are no attendee
 */
export async function requestErasure(
  db: EventsDatabase,
  { attendeeId, tenant, eventId, requestedBy, byMachine, requestedAt, eraseAt }: Erasure,
): Promise<Erasure | null> {
  await sqlBatch(db, [
    sql`
      INSERT INTO erasures (attendee_id, tenant, event_id, requested_by, by_machine, requested_at, erase_at)
      SELECT ${attendeeId}, ${tenant}, ${eventId}, ${requestedBy}, ${byMachine ? 1 : 0}, ${requestedAt}, ${eraseAt}
      WHERE EXISTS (SELECT 1 FROM attendees WHERE id = ${attendeeId} AND event_id = ${eventId})
      ON CONFLICT DO UPDATE SET requested_by = excluded.requested_by, by_machine = 0
      WHERE erasures.by_machine AND NOT excluded.by_machine`,
  ]);
  return findErasure(db, eventId, attendeeId);
}

export async function findErasure(db: EventsDatabase, eventId: string, attendeeId: string): Promise<Erasure | null> {
  const [row] = await db
    .select()
    .from(erasures)
    .where(and(eq(erasures.attendeeId, attendeeId), eq(erasures.eventId, eventId)));
  return row ?? null;
}

/**
 * Ends the waiting of an erasure that another person has asked for, or whose time has come: from here on it cannot be taken back. False where what
 * stands is the same person's, or a machine's.
 *
 * @param person user id; null of a machine, which ends nothing early
 */
export async function endErasureWait(
  db: EventsDatabase,
  { attendeeId, person, now }: { readonly attendeeId: string; readonly person: string | null; readonly now: number },
): Promise<boolean> {
  const byAnother = person === null ? undefined : and(ne(erasures.requestedBy, person), eq(erasures.byMachine, false));
  const ended = await db
    .update(erasures)
    .set({ eraseAt: sql`min(${erasures.eraseAt}, ${now})` })
    .where(and(eq(erasures.attendeeId, attendeeId), or(lte(erasures.eraseAt, now), byAnother)))
    .returning({ attendeeId: erasures.attendeeId });
  return ended.length === 1;
}

/** Takes an erasure back that still waits. False where there is none. */
export async function takeErasureBack(
  db: EventsDatabase,
  { eventId, attendeeId, now }: { eventId: string; attendeeId: string; now: number },
): Promise<boolean> {
  const taken = await db
    .delete(erasures)
    .where(and(eq(erasures.attendeeId, attendeeId), eq(erasures.eventId, eventId), gt(erasures.eraseAt, now)))
    .returning({ attendeeId: erasures.attendeeId });
  return taken.length > 0;
}

export async function forgetErasure(db: EventsDatabase, attendeeId: string): Promise<void> {
  await db.delete(erasures).where(eq(erasures.attendeeId, attendeeId));
}

/** Of an event, by attendee. */
export async function listErasures(
  db: EventsDatabase,
  { eventId, after, limit }: { eventId: string; after: string | null; limit: number },
): Promise<Erasure[]> {
  return db
    .select()
    .from(erasures)
    .where(and(eq(erasures.eventId, eventId), after === null ? undefined : gt(erasures.attendeeId, after)))
    .orderBy(asc(erasures.attendeeId))
    .limit(limit);
}

/** Those whose wait is over, in events that were not deleted: the others go with their event. */
export async function findDueErasures(db: EventsDatabase, now: number, limit: number): Promise<Erasure[]> {
  return db
    .select()
    .from(erasures)
    .where(
      and(
        lte(erasures.eraseAt, now),
        sql`EXISTS (SELECT 1 FROM events WHERE id = ${erasures.eventId} AND deleted_at IS NULL)`,
      ),
    )
    .orderBy(asc(erasures.eraseAt))
    .limit(limit);
}
