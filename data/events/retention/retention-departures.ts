import { and, asc, count, eq, isNull, lte, sql } from 'drizzle-orm';
import { sqlBatch } from '../../sql-batch.ts';
import type { EventsDatabase } from '../database.ts';
import type { Collection } from '../images/collections.ts';
import { collections, departures, enhancementJobs, events } from '../schema.ts';

/** A tenant that asked to leave. What it makes after `leavingAt` is no part of it. */
export type Departure = typeof departures.$inferSelect;

/** Where a departure stands, with how many events go. */
export interface DepartureState {
  readonly departure: Departure;
  readonly events: number;
}

/** Writes down that a tenant asks to leave. One that is under way stays as it is, with its date. */
export async function requestDeparture(
  db: EventsDatabase,
  { tenant, requestedBy, now, leaveAt }: { tenant: string; requestedBy: string; now: number; leaveAt: number },
): Promise<void> {
  await sqlBatch(db, [
    sql`
      INSERT INTO departures (tenant, requested_by, requested_at, leave_at)
      VALUES (${tenant}, ${requestedBy}, ${now}, ${leaveAt})
      ON CONFLICT (tenant) DO UPDATE SET
        requested_by = excluded.requested_by, requested_at = excluded.requested_at, leave_at = excluded.leave_at,
        stopped_at = NULL, stopped_by = NULL, leaving_at = NULL, key_destroyed_at = NULL, finished_at = NULL
      WHERE departures.finished_at IS NOT NULL OR departures.stopped_at IS NOT NULL`,
  ]);
}

/** The latest departure of a tenant, whatever became of it. */
export async function findDeparture(db: EventsDatabase, tenant: string): Promise<DepartureState | null> {
  const [rows, counted] = await db.batch([
    db.select().from(departures).where(eq(departures.tenant, tenant)),
    db
      .select({ total: count() })
      .from(events)
      .where(and(eq(events.tenant, tenant), isNull(events.shreddedAt))),
  ]);
  const [departure] = rows;
  return departure === undefined ? null : { departure, events: counted[0]?.total ?? 0 };
}

/** Stops a departure that has not begun. False where there is none. */
export async function stopDeparture(
  db: EventsDatabase,
  { tenant, stoppedBy, now }: { tenant: string; stoppedBy: string; now: number },
): Promise<boolean> {
  const stopped = await db
    .update(departures)
    .set({ stoppedAt: now, stoppedBy })
    .where(and(eq(departures.tenant, tenant), isNull(departures.leavingAt), IS_OPEN))
    .returning({ tenant: departures.tenant });
  return stopped.length > 0;
}

/** Departures that wait, or are being carried out, in every tenant: the earliest first. */
export async function listOpenDepartures(db: EventsDatabase, limit: number): Promise<Departure[]> {
  return db.select().from(departures).where(IS_OPEN).orderBy(asc(departures.leaveAt)).limit(limit);
}

const IS_OPEN = and(isNull(departures.finishedAt), isNull(departures.stoppedAt));

/**
 * Begins a departure whose time has come, and ends the retention of all events of the tenant. Begun again while its key is there, it takes in what was
 * made meanwhile, since the same key seals it. Null where it was stopped.
 */
export async function beginDeparture(
  db: EventsDatabase,
  { tenant, requestedAt }: Pick<Departure, 'tenant' | 'requestedAt'>,
  now: number,
): Promise<Departure | null> {
  const isThis = sql`tenant = ${tenant} AND requested_at = ${requestedAt} AND stopped_at IS NULL`;
  await sqlBatch(db, [
    sql`UPDATE departures SET leaving_at = ${now} WHERE ${isThis} AND leave_at <= ${now} AND key_destroyed_at IS NULL`,
    sql`
      UPDATE events SET deleted_at = coalesce(deleted_at, ${now}), shred_at = min(coalesce(shred_at, ${now}), ${now})
      WHERE tenant = ${tenant} AND shredded_at IS NULL
        AND EXISTS (SELECT 1 FROM departures WHERE ${isThis} AND leaving_at = ${now})`,
  ]);
  const found = await findDeparture(db, tenant);
  return found?.departure.leavingAt === now ? found.departure : null;
}

/** Says of the tenant, and of all its events, that what they hold can be read no more. */
export async function recordTenantKeyDestroyed(
  db: EventsDatabase,
  { tenant, requestedAt, leavingAt }: Pick<Departure, 'tenant' | 'requestedAt' | 'leavingAt'>,
  now: number,
): Promise<void> {
  await db.batch([
    db
      .update(departures)
      .set({ keyDestroyedAt: now })
      .where(and(eq(departures.tenant, tenant), eq(departures.requestedAt, requestedAt))),
    db
      .update(events)
      .set({ keyDestroyedAt: now })
      .where(and(eq(events.tenant, tenant), lte(events.createdAt, leavingAt ?? 0), isNull(events.keyDestroyedAt))),
  ]);
}

/**
 * Until when what a tenant made goes with it. A version that knew no waiting began with the request, and a row that it wrote after the migration says no
 * other beginning.
 */
function endOf({ leavingAt, requestedAt }: Pick<Departure, 'leavingAt' | 'requestedAt'>): number {
  return leavingAt ?? requestedAt;
}

/** Departures whose time has come and that are not over. */
export async function findDueDepartures(db: EventsDatabase, now: number, limit: number): Promise<Departure[]> {
  return db
    .select()
    .from(departures)
    .where(and(IS_OPEN, lte(departures.leaveAt, now)))
    .orderBy(asc(departures.leaveAt))
    .limit(limit);
}

/** Collections of the tenant that belong to no event. */
export async function collectionsOfDeparture(
  db: EventsDatabase,
  departure: Departure,
  limit: number,
): Promise<Collection[]> {
  const { tenant } = departure;
  return db
    .select()
    .from(collections)
    .where(
      and(eq(collections.tenant, tenant), isNull(collections.eventId), lte(collections.createdAt, endOf(departure))),
    )
    .limit(limit);
}

/** Places in R2 of the images of enhancement jobs, by job. */
export async function enhancementsOfDeparture(
  db: EventsDatabase,
  departure: Departure,
  limit: number,
): Promise<{ readonly id: string; readonly paths: readonly string[] }[]> {
  const { tenant } = departure;
  const rows = await db
    .select({ id: enhancementJobs.id, source: enhancementJobs.sourceKey, result: enhancementJobs.resultKey })
    .from(enhancementJobs)
    .where(and(eq(enhancementJobs.tenant, tenant), lte(enhancementJobs.createdAt, endOf(departure))))
    .limit(limit);
  return rows.map(({ id, source, result }) => ({ id, paths: result === null ? [source] : [source, result] }));
}

export async function deleteEnhancements(db: EventsDatabase, ids: readonly string[]): Promise<void> {
  await db
    .delete(enhancementJobs)
    .where(sql`${enhancementJobs.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`);
}

/** Ends it where no event of it is left to shred. */
export async function finishDeparture(db: EventsDatabase, departure: Departure, now: number): Promise<void> {
  const { tenant, requestedAt } = departure;
  await db
    .update(departures)
    .set({ finishedAt: now })
    .where(
      and(
        eq(departures.tenant, tenant),
        eq(departures.requestedAt, requestedAt),
        sql`NOT EXISTS (
          SELECT 1 FROM events WHERE tenant = ${tenant} AND created_at <= ${endOf(departure)} AND shredded_at IS NULL
        )`,
      ),
    );
}
