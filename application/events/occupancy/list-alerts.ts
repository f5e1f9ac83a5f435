import { type EventsDatabase, eventsDatabase } from '../../../data/events/database.ts';
import { findEvent } from '../../../data/events/sites/events.ts';
import { listRooms, type RoomRow } from '../../../data/events/sites/rooms.ts';
import type { SpanOfRoom } from '../../../data/events/timeline/room-spans.ts';
import type { CapacityAlert, CountedTime } from '../../../domain/events/occupancy.ts';
import { alertsOfSpans, type SpanAlert } from '../../../domain/events/room-span.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import type { ApiError } from '../../../protocol/errors/api-error.ts';
import { notFound } from '../not-found.ts';
import { lookInto, roomSpans, type SpansByRoom } from './room-spans.ts';
import { ROOMS_READ_MAX } from './rooms-read-max.ts';

/** A time in which a room held more people than its capacity. */
export interface RoomAlert {
  readonly room: RoomRow;
  readonly alert: CapacityAlert;
}

export interface AlertPage {
  /** When the last alert of the page before started, and the id of its room. */
  readonly after: { readonly at: number; readonly id: string } | null;
  readonly limit: number;
}

export interface AlertList {
  readonly alerts: readonly RoomAlert[];
  /** It ends before its limit, and more may follow behind its last: it is as long as one call looks. */
  readonly isCutShort: boolean;
}

/** Spans that one query looks into, and that one call does: 64 rows each, or the movements of a minute. */
const SPANS_AT_ONCE = 250;
const SPANS_MAX = 2_000;

/** The oldest first. NOT_FOUND for an event that the tenant does not have. */
export async function listAlerts(
  env: Env,
  tenant: string,
  id: string,
  page: AlertPage,
): Promise<Result<AlertList, ApiError>> {
  const db = eventsDatabase(env.EVENTS_DB);
  const event = await findEvent(db, tenant, id);
  if (event === null) return err(notFound('event'));
  const eventId = event.id;
  const time = { during: event, now: Date.now() };
  const [rooms, spans] = await Promise.all([
    listRooms(db, { eventId, limit: ROOMS_READ_MAX }),
    roomSpans(db, { eventId, time }),
  ]);
  return spans.ok ? ok(await pageOfAlerts(db, { rooms, spans: spans.value, time }, page)) : spans;
}

interface Looked {
  readonly rooms: readonly RoomRow[];
  readonly spans: SpansByRoom;
  readonly time: CountedTime;
}

/** Looks into spans until the page is certain, those first that may hold the first alert: how much that is follows from the page, and not from the event. */
async function pageOfAlerts(db: EventsDatabase, looked: Looked, page: AlertPage): Promise<AlertList> {
  let { spans } = looked;
  for (let opened = 0; ; ) {
    const found = alertsIn({ ...looked, spans }, page);
    const certain = found.findIndex(({ alert }) => alert.unsure.length > 0);
    if (certain < 0) return { alerts: found, isCutShort: false };
    if (certain > 0 && opened >= SPANS_MAX) return { alerts: found.slice(0, certain), isCutShort: true };
    const unsure = [...new Set(found.flatMap(({ alert }) => alert.unsure as SpanOfRoom[]))].slice(0, SPANS_AT_ONCE);
    spans = await lookInto(db, spans, unsure);
    opened += unsure.length;
  }
}

/** The last alert of a room, with its exact times; null where it had none. A span that hides one has one, so few are looked into. */
export async function lastAlert(
  db: EventsDatabase,
  spans: SpansByRoom,
  { room, time }: { readonly room: RoomRow; readonly time: CountedTime },
): Promise<CapacityAlert | null> {
  const last = alertsOfSpans(spans.get(room.id) ?? [], room.capacity, time).at(-1);
  if (last === undefined || last.unsure.length === 0) return last ?? null;
  return lastAlert(db, await lookInto(db, spans, last.unsure as SpanOfRoom[]), { room, time });
}

interface FoundAlert {
  readonly room: RoomRow;
  readonly alert: SpanAlert;
}

/** Of the page, as far as spans tell it; what may start where its span begins stands there. */
function alertsIn({ rooms, spans, time }: Looked, { after, limit }: AlertPage): readonly FoundAlert[] {
  return rooms
    .flatMap((room) => alertsOfSpans(spans.get(room.id) ?? [], room.capacity, time).map((alert) => ({ room, alert })))
    .filter(({ room, alert }) => after === null || inOrder(placeOf(room, alert.startsBy), after) > 0)
    .toSorted((a, b) => inOrder(placeOf(a.room, a.alert.startedAt), placeOf(b.room, b.alert.startedAt)))
    .slice(0, limit);
}

interface Place {
  readonly at: number;
  /** Of the room. */
  readonly id: string;
}

function placeOf({ id }: RoomRow, at: number): Place {
  return { at, id };
}

function inOrder(a: Place, b: Place): number {
  return a.at - b.at || (a.id === b.id ? 0 : a.id < b.id ? -1 : 1);
}
