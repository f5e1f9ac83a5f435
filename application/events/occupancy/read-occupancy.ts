import { eventsDatabase } from '../../../data/events/database.ts';
import { findEvent } from '../../../data/events/sites/events.ts';
import { listRooms, type RoomRow } from '../../../data/events/sites/rooms.ts';
import { countUnknown, type UnknownSightings } from '../../../data/events/timeline/timeline-entries.ts';
import { type Occupancy, occupancyOf } from '../../../domain/events/occupancy.ts';
import { judgedRooms } from './judged-rooms.ts';
import { ROOMS_READ_MAX } from './rooms-read-max.ts';

export interface RoomOccupancy {
  readonly room: RoomRow;
  readonly occupancy: Occupancy;
  /** Sightings of faces that nobody registered has, beside the count. */
  readonly unknown: UnknownSightings;
}

const NOBODY: UnknownSightings = { entered: 0, exited: 0 };

/** Of each room. Null for an event that the tenant does not have. */
export async function readOccupancy(env: Env, tenant: string, id: string): Promise<readonly RoomOccupancy[] | null> {
  const db = eventsDatabase(env.EVENTS_DB);
  const event = await findEvent(db, tenant, id);
  if (event === null) return null;
  const eventId = event.id;
  const now = Date.now();
  const [rooms, judged, unknown] = await Promise.all([
    listRooms(db, { eventId, limit: ROOMS_READ_MAX }),
    judgedRooms(db, { eventId, until: now }),
    countUnknown(db, eventId),
  ]);
  return rooms.map((room) => ({
    room,
    occupancy: occupancyOf(judged.get(room.id) ?? [], { during: event, now }),
    unknown: unknown.get(room.id) ?? NOBODY,
  }));
}
