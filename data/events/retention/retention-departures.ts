import { and, asc, eq, isNull, lte, sql } from 'drizzle-orm';
import { sqlBatch } from '../../sql-batch.ts';
import type { EventsDatabase } from '../database.ts';
import type { Collection } from '../images/collections.ts';
import { collections, departures, enhancementJobs, events } from '../schema.ts';

/** A tenant that leaves. What it makes after `requestedAt` is no part of it. */
export type Departure = typeof departures.$inferSelect;

/** Writes down that a tenant leaves, and ends the retention period of all its events. Answers how many there are. */
export async function recordDeparture(
  db: EventsDatabase,
  { tenant, requestedBy, now }: { tenant: string; requestedBy: string; now: number },
): Promise<number> {
  const [, , rows] = await sqlBatch<[unknown[], unknown[], { total: number }[]]>(db, [
    sql`
      INSERT INTO departures (tenant, requested_by, requested_at) VALUES (${tenant}, ${requestedBy}, ${now})
      ON CONFLICT (tenant) DO UPDATE SET
        requested_by = excluded.requested_by, requested_at = excluded.requested_at, key_destroyed_at = NULL,
        finished_at = NULL`,
    sql`
      UPDATE events SET deleted_at = coalesce(deleted_at, ${now}), shred_at = min(coalesce(shred_at, ${now}), ${now})
      WHERE tenant = ${tenant} AND shredded_at IS NULL`,
    sql`SELECT count(*) AS total FROM events WHERE tenant = ${tenant} AND shredded_at IS NULL`,
  ]);
  return rows[0]?.total ?? 0;
}

/** Says of the tenant, and of all its events, that what they hold can be read no more. */
export async function recordTenantKeyDestroyed(
  db: EventsDatabase,
  { tenant, requestedAt }: Pick<Departure, 'tenant' | 'requestedAt'>,
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
      .where(and(eq(events.tenant, tenant), lte(events.createdAt, requestedAt), isNull(events.keyDestroyedAt))),
  ]);
}

export async function findDepartures(db: EventsDatabase, limit: number): Promise<Departure[]> {
  return db
    .select()
    .from(departures)
    .where(isNull(departures.finishedAt))
    .orderBy(asc(departures.requestedAt))
    .limit(limit);
}

/** Collections of the tenant that belong to no event. */
export async function collectionsOfDeparture(
  db: EventsDatabase,
  { tenant, requestedAt }: Departure,
  limit: number,
): Promise<Collection[]> {
  return db
    .select()
    .from(collections)
    .where(and(eq(collections.tenant, tenant), isNull(collections.eventId), lte(collections.createdAt, requestedAt)))
    .limit(limit);
}

/** Places in R2 of the images of enhancement jobs, by job. */
export async function enhancementsOfDeparture(
  db: EventsDatabase,
  { tenant, requestedAt }: Departure,
  limit: number,
): Promise<{ readonly id: string; readonly paths: readonly string[] }[]> {
  const rows = await db
    .select({ id: enhancementJobs.id, source: enhancementJobs.sourceKey, result: enhancementJobs.resultKey })
    .from(enhancementJobs)
    .where(and(eq(enhancementJobs.tenant, tenant), lte(enhancementJobs.createdAt, requestedAt)))
    .limit(limit);
  return rows.map(({ id, source, result }) => ({ id, paths: result === null ? [source] : [source, result] }));
}

export async function deleteEnhancements(db: EventsDatabase, ids: readonly string[]): Promise<void> {
  await db
    .delete(enhancementJobs)
    .where(sql`${enhancementJobs.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`);
}

/** Ends it where no event of it is left to shred. */
export async function finishDeparture(db: EventsDatabase, { tenant, requestedAt }: Departure, now: number) {
  await db
    .update(departures)
    .set({ finishedAt: now })
    .where(
      and(
        eq(departures.tenant, tenant),
        eq(departures.requestedAt, requestedAt),
        sql`NOT EXISTS (
          SELECT 1 FROM events WHERE tenant = ${tenant} AND created_at <= ${requestedAt} AND shredded_at IS NULL
        )`,
      ),
    );
}
