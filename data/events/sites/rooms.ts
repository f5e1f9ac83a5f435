import { and, asc, eq, gt, isNull, sql } from 'drizzle-orm';
import { EVENT_BOUNDS } from '../../../domain/events/event-bounds.ts';
import { sqlBatch } from '../../sql-batch.ts';
import type { EventsDatabase } from '../database.ts';
import { events, rooms } from '../schema.ts';
import { eventIsLive } from './events.ts';

export type RoomRow = typeof rooms.$inferSelect;

/** Once per id; null when the tenant has no such event, it was deleted, or has as many rooms as it may. */
export async function createRoom(db: EventsDatabase, room: RoomRow): Promise<RoomRow | null> {
  await sqlBatch(db, [
    sql`
      INSERT INTO rooms (id, tenant, event_id, name, capacity, created_at)
      SELECT ${room.id}, ${room.tenant}, ${room.eventId}, ${room.name}, ${room.capacity}, ${room.createdAt}
      WHERE ${eventIsLive(room.tenant, room.eventId)}
        AND (SELECT count(*) FROM rooms WHERE event_id = ${room.eventId}) < ${EVENT_BOUNDS.rooms_max}
      ON CONFLICT (id) DO NOTHING`,
  ]);
  return findRoom(db, room.tenant, room.id);
}

/** A room of an event that was not deleted. */
export async function findRoom(db: EventsDatabase, tenant: string, id: string): Promise<RoomRow | null> {
  const [row] = await db
    .select({ room: rooms })
    .from(rooms)
    .innerJoin(events, eq(events.id, rooms.eventId))
    .where(and(eq(rooms.id, id), eq(rooms.tenant, tenant), isNull(events.deletedAt)));
  return row?.room ?? null;
}

/** Of an event that the caller has found, in order of creation. */
export async function listRooms(
  db: EventsDatabase,
  { eventId, after = null, limit }: { eventId: string; after?: string | null; limit: number },
): Promise<RoomRow[]> {
  return db
    .select()
    .from(rooms)
    .where(and(eq(rooms.eventId, eventId), after === null ? undefined : gt(rooms.id, after)))
    .orderBy(asc(rooms.id))
    .limit(limit);
}
