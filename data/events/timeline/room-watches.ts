import { and, asc, eq, isNull, lte, sql } from 'drizzle-orm';
import type { CapacityNotice } from '../../../domain/events/capacity-notice.ts';
import type { EventFacts } from '../../../protocol/partner/events.ts';
import { sqlBatch } from '../../sql-batch.ts';
import type { EventsDatabase } from '../database.ts';
import { capacityTold } from '../outgoing/outgoing-events.ts';
import { events, roomWatches } from '../schema.ts';
import { eventIsLive } from '../sites/events.ts';

export type RoomWatch = typeof roomWatches.$inferSelect;

/**
 * Whether this caller is to look at the capacities of an event until `until`: one at a time, and only where a room has one. Whoever is refused leaves what they
 * have changed to the one who looks.
 */
export async function beginLook(
  db: EventsDatabase,
  { eventId, now, until }: { readonly eventId: string; readonly now: number; readonly until: number },
): Promise<boolean> {
  const [rows] = await sqlBatch(db, [
    sql`
      UPDATE events SET capacity_look_until = ${until}
      WHERE id = ${eventId} AND deleted_at IS NULL AND capacity_look_until <= ${now}
        AND EXISTS (SELECT 1 FROM rooms WHERE event_id = ${eventId} AND capacity IS NOT NULL)
      RETURNING id`,
  ]);
  return rows !== undefined && rows.length > 0;
}

/** Ends the look that was begun with `until`. @returns whether something has changed that nobody has looked at */
export async function endLook(
  db: EventsDatabase,
  { eventId, now, until }: { readonly eventId: string; readonly now: number; readonly until: number },
): Promise<boolean> {
  const [, rows] = await sqlBatch(db, [
    sql`UPDATE events SET capacity_look_until = 0 WHERE id = ${eventId} AND capacity_look_until = ${until}`,
    sql`
      SELECT 1 WHERE
        EXISTS (SELECT 1 FROM timeline INDEXED BY timeline_unjudged WHERE event_id = ${eventId} AND judged = 0 AND type <> 'present')
        OR EXISTS (SELECT 1 FROM room_spans INDEXED BY room_spans_stale WHERE event_id = ${eventId} AND stale = 1)
        OR EXISTS (SELECT 1 FROM room_watches WHERE event_id = ${eventId} AND look_at <= ${now})`,
  ]);
  return rows !== undefined && rows.length > 0;
}

/** Rooms of an event that are to be looked at, the longest due first. */
export async function dueWatches(
  db: EventsDatabase,
  { eventId, now, limit }: { readonly eventId: string; readonly now: number; readonly limit: number },
): Promise<RoomWatch[]> {
  return db
    .select()
    .from(roomWatches)
    .where(and(eq(roomWatches.eventId, eventId), lte(roomWatches.lookAt, now)))
    .orderBy(asc(roomWatches.lookAt), asc(roomWatches.roomId))
    .limit(limit);
}

/** The first event behind `after`, by id, with a room that is to be looked at; null where there is none. */
export async function nextWatchedEvent(
  db: EventsDatabase,
  { after, now }: { readonly after: string; readonly now: number },
): Promise<string | null> {
  const [row] = await db
    .select({ id: sql<string | null>`min(${roomWatches.eventId})` })
    .from(roomWatches)
    .innerJoin(events, eq(events.id, roomWatches.eventId))
    .where(and(lte(roomWatches.lookAt, now), sql`${roomWatches.eventId} > ${after}`, isNull(events.deletedAt)));
  return row?.id ?? null;
}

/** What was seen of a room, and when it is looked at again by itself; null for not. */
export interface RoomLook {
  readonly now: number;
  readonly lookAt: number | null;
  readonly notice:
    | (CapacityNotice & { readonly id: string; readonly facts: EventFacts<'event.capacity_alert'> })
    | null;
}

/**
 * Writes down what was seen, with the event that tells of it, in one batch: nothing where a movement has changed since the room was read, or its event was deleted.
 *
 * @returns whether there is something to tell
 */
export async function recordLook(
  db: EventsDatabase,
  watch: RoomWatch,
  { now, lookAt, notice }: RoomLook,
): Promise<boolean> {
  const { roomId, changes } = watch;
  const isAsRead = sql`
    EXISTS (SELECT 1 FROM room_watches WHERE room_id = ${roomId} AND changes = ${changes}
      AND told_started_at IS ${watch.toldStartedAt} AND told_is_over = ${Number(watch.toldIsOver)})
    AND ${eventIsLive(watch.tenant, watch.eventId)}`;
  const told = notice === null ? { startedAt: watch.toldStartedAt, isOver: watch.toldIsOver } : notice.told;
  const noted = sql`
    UPDATE room_watches SET
      look_at = ${lookAt}, told_started_at = ${told?.startedAt ?? null}, told_is_over = ${Number(told?.isOver ?? false)}
    WHERE room_id = ${roomId} AND ${isAsRead}`;
  if (notice === null) {
    await sqlBatch(db, [noted]);
    return false;
  }
  const [outgoing] = await sqlBatch(db, [capacityTold(watch, { ...notice, now, when: isAsRead }), noted]);
  return outgoing !== undefined && outgoing.length > 0;
}
