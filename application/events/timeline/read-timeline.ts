import { eventsDatabase } from '../../../data/events/database.ts';
import { listEntries, type TimelineEntry } from '../../../data/events/timeline/timeline-entries.ts';
import { type MovementCounts, movementCounts } from '../../../domain/events/occupancy.ts';
import { judgedRooms, type RoomMovement } from '../occupancy/judged-rooms.ts';
import { openEvent } from '../open-event.ts';

/** Which entries are asked for; undefined narrows nothing. */
export interface TimelineQuery {
  readonly eventId: string;
  readonly roomId: string | undefined;
  readonly cameraId: string | undefined;
  readonly attendeeId: string | undefined;
  /** Unix milliseconds. */
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly includeVoided: boolean;
  readonly after: { readonly at: number; readonly id: string } | null;
  readonly limit: number;
}

export interface Timeline {
  readonly entries: readonly TimelineEntry[];
  /** Of all that match, not of the page alone. */
  readonly total: MovementCounts;
  readonly rooms: readonly { readonly roomId: string; readonly movements: MovementCounts }[];
}

/** Who was seen where, in order of first sight. Null for an event that the tenant does not have. */
export async function readTimeline(env: Env, tenant: string, query: TimelineQuery): Promise<Timeline | null> {
  const opened = await openEvent(env, tenant, query.eventId);
  if (opened === null) return null;
  const { event, key } = opened;
  const { roomId, cameraId, attendeeId, from, to, includeVoided, after, limit } = query;
  const attendeeTag = attendeeId === undefined ? undefined : await key.tag('attendee', attendeeId);
  const filter = { eventId: event.id, roomId, cameraId, attendeeTag, from, to };
  const db = eventsDatabase(env.EVENTS_DB);
  const entries = await listEntries(db, key, { ...filter, includeVoided, after, limit });
  // Whether a movement counts follows from all of its room; which of them are shown, from the filter.
  const rooms = [...(await judgedRooms(db, filter))].map(
    ([id, judged]) => [id, judged.filter((movement) => isWithin(movement, filter))] as const,
  );
  return {
    entries,
    total: movementCounts(rooms.flatMap(([, movements]) => movements)),
    rooms: rooms.map(([id, movements]) => ({ roomId: id, movements: movementCounts(movements) })),
  };
}

interface Filter {
  readonly cameraId: string | undefined;
  readonly attendeeTag: string | undefined;
  readonly from: number | undefined;
  readonly to: number | undefined;
}

/**
 * As the list has it: whoever was before the camera at some instant from `from` to `to`. A movement that follows from others is of its own instant
 * alone: its presence counts by the movement that it began or ended with.
 */
function isWithin(movement: RoomMovement, { cameraId, attendeeTag, from, to }: Filter): boolean {
  const { isImplied = false, at } = movement;
  return (
    (!isImplied || (at >= (from ?? at) && at <= (to ?? at))) &&
    (cameraId === undefined || movement.cameraId === cameraId) &&
    (attendeeTag === undefined || movement.person === attendeeTag) &&
    (from === undefined || movement.lastSeenAt >= from) &&
    (to === undefined || movement.firstSeenAt <= to)
  );
}
