import { and, asc, eq, gt, lte, sql } from 'drizzle-orm';
import type { EventsDatabase } from '../database.ts';
import { erasures } from '../schema.ts';

/** An attendee who is to be erased. */
export type Erasure = typeof erasures.$inferSelect;

/** Writes down that somebody is to be erased; the first request keeps its date. Answers what stands. */
export async function requestErasure(db: EventsDatabase, erasure: Erasure): Promise<Erasure> {
  await db.insert(erasures).values(erasure).onConflictDoNothing();
  return (await findErasure(db, erasure.eventId, erasure.attendeeId)) ?? erasure;
}

export async function findErasure(db: EventsDatabase, eventId: string, attendeeId: string): Promise<Erasure | null> {
  const [row] = await db
    .select()
    .from(erasures)
    .where(and(eq(erasures.attendeeId, attendeeId), eq(erasures.eventId, eventId)));
  return row ?? null;
}

/** Ends the waiting of an erasure: from here on it cannot be taken back. */
export async function endErasureWait(db: EventsDatabase, attendeeId: string, now: number): Promise<boolean> {
  const ended = await db
    .update(erasures)
    .set({ eraseAt: sql`min(${erasures.eraseAt}, ${now})` })
    .where(eq(erasures.attendeeId, attendeeId))
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
