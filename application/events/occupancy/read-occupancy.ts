import { eventsDatabase } from '../../../data/events/database.ts';
import { findEvent } from '../../../data/events/sites/events.ts';
import { listRooms, type RoomRow } from '../../../data/events/sites/rooms.ts';
import { countUnknown, type UnknownSightings } from '../../../data/events/timeline/timeline-entries.ts';
import type { Occupancy } from '../../../domain/events/occupancy.ts';
import { occupancyOfSpans } from '../../../domain/events/room-span.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import type { ApiError } from '../../../protocol/errors/api-error.ts';
import { notFound } from '../not-found.ts';
import { roomSpans } from './room-spans.ts';
import { ROOMS_READ_MAX } from './rooms-read-max.ts';

export interface RoomOccupancy {
  readonly room: RoomRow;
  readonly occupancy: Occupancy;
  /** Sightings of faces that nobody registered has, beside the count. */
  readonly unknown: UnknownSightings;
}

const NOBODY: UnknownSightings = { entered: 0, exited: 0 };

/** Of each room. NOT_FOUND for an event that the tenant does not have. */
export async function readOccupancy(
  env: Env,
  tenant: string,
  id: string,
): Promise<Result<readonly RoomOccupancy[], ApiError>> {
  const db = eventsDatabase(env.EVENTS_DB);
  const event = await findEvent(db, tenant, id);
  if (event === null) return err(notFound('event'));
  const eventId = event.id;
  const time = { during: event, now: Date.now() };
  const [rooms, spans, unknown] = await Promise.all([
    listRooms(db, { eventId, limit: ROOMS_READ_MAX }),
    roomSpans(db, { eventId, time }),
    countUnknown(db, eventId),
  ]);
  if (!spans.ok) return spans;
  return ok(
    rooms.map((room) => ({
      room,
      occupancy: occupancyOfSpans(spans.value.get(room.id) ?? [], time),
      unknown: unknown.get(room.id) ?? NOBODY,
    })),
  );
}
