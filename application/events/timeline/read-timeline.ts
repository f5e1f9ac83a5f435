import { eventsDatabase } from '../../../data/events/database.ts';
import { countMovements } from '../../../data/events/timeline/room-spans.ts';
import { listEntries, type TimelineEntry } from '../../../data/events/timeline/timeline-entries.ts';
import type { MovementCounts } from '../../../domain/events/occupancy.ts';
import { countsOfSpans } from '../../../domain/events/room-span.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import type { ApiError } from '../../../protocol/errors/api-error.ts';
import { notFound } from '../not-found.ts';
import { roomSpans } from '../occupancy/room-spans.ts';
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

/** Who was seen where, in order of first sight. NOT_FOUND for an event that the tenant does not have. */
export async function readTimeline(
  env: Env,
  tenant: string,
  query: TimelineQuery,
): Promise<Result<Timeline, ApiError>> {
  const opened = await openEvent(env, tenant, query.eventId);
  if (opened === null) return err(notFound('event'));
  const { event, key } = opened;
  const { roomId, cameraId, attendeeId, from, to, includeVoided, after, limit } = query;
  const attendeeTag = attendeeId === undefined ? undefined : await key.tag('attendee', attendeeId);
  const filter = { eventId: event.id, roomId, cameraId, attendeeTag, from, to };
  const db = eventsDatabase(env.EVENTS_DB);
  const spans = await roomSpans(db, filter);
  if (!spans.ok) return spans;
  const entries = await listEntries(db, key, { ...filter, includeVoided, after, limit });
  // Whether a movement counts follows from all of its room; which of them are shown, from the filter.
  const isNarrow = [cameraId, attendeeTag, from, to].some((term) => term !== undefined);
  const counted = isNarrow ? await countMovements(db, filter) : null;
  const rooms = [...spans.value].map(([id, own]) => ({
    roomId: id,
    movements: counted === null ? countsOfSpans(own) : (counted.get(id) ?? countsOfSpans([])),
  }));
  return ok({ entries, total: countsOfSpans(rooms.map(({ movements }) => movements)), rooms });
}
