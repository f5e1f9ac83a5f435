import type { EventsDatabase } from '../../../data/events/database.ts';
import { judgeMovementsOf } from '../../../data/events/timeline/judge-movements.ts';
import { listInnerSpans, listTopSpans, type SpanOfRoom } from '../../../data/events/timeline/room-spans.ts';
import type { CountedTime } from '../../../domain/events/occupancy.ts';
import { spanBegin } from '../../../domain/events/room-span.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import { type ApiError, apiError } from '../../../protocol/errors/api-error.ts';

/** Spans of rooms, each room's in order of time. */
export type SpansByRoom = ReadonlyMap<string, readonly SpanOfRoom[]>;

interface RoomsQuery {
  readonly eventId: string;
  readonly roomId?: string | undefined;
  /** Movements after now count not yet: a camera whose clock is ahead tells of some. Undefined takes all. */
  readonly time?: CountedTime;
}

/** Rows that one call judges at most: some 20,000 entries, in two or three seconds. */
const ROWS_JUDGED_MAX = 400_000;

/** What happened in rooms of an event, as few spans. SERVICE_UNAVAILABLE where more changed since than one call looks at: each call gets on. */
export async function roomSpans(db: EventsDatabase, query: RoomsQuery): Promise<Result<SpansByRoom, ApiError>> {
  const { eventId, roomId, time } = query;
  if (!(await judgeMovementsOf(db, eventId, ROWS_JUDGED_MAX))) return err(COUNTING);
  const top = await listTopSpans(db, { eventId, roomId });
  return ok(time === undefined ? byRoom(top) : await spansUntilNow(db, top, time));
}

const COUNTING = apiError('SERVICE_UNAVAILABLE', 'the movements of this event are being counted: please repeat', {
  reason: 'counting_movements',
});

/** Of the largest spans, what has come until now. */
export function spansUntilNow(db: EventsDatabase, top: readonly SpanOfRoom[], time: CountedTime): Promise<SpansByRoom> {
  return untilNow(db, byRoom(top), time);
}

/** In place of each span that is not over, what is of it. */
async function untilNow(db: EventsDatabase, rooms: SpansByRoom, time: CountedTime): Promise<SpansByRoom> {
  const begun = new Map(
    [...rooms].map(([roomId, spans]) => [
      roomId,
      spans.filter((span) => (span.level < 0 ? span.endsAt : spanBegin(span, time)) <= time.now),
    ]),
  );
  const unfinished = [...begun.values()].flat().filter(({ endsAt }) => endsAt > time.now);
  return unfinished.length === 0 ? begun : untilNow(db, await lookInto(db, begun, unfinished), time);
}

/** The same spans, with what they consist of in place of `spans`. */
export async function lookInto(
  db: EventsDatabase,
  rooms: SpansByRoom,
  spans: readonly SpanOfRoom[],
): Promise<SpansByRoom> {
  const gone = new Set(spans);
  const inner = byRoom(await listInnerSpans(db, spans));
  return new Map(
    [...rooms].map(([roomId, own]) => {
      const parts = inner.get(roomId);
      const isOpened = own.some((span) => gone.has(span));
      return [roomId, isOpened ? [...own.filter((span) => !gone.has(span)), ...(parts ?? [])].toSorted(inOrder) : own];
    }),
  );
}

function byRoom(spans: readonly SpanOfRoom[]): Map<string, SpanOfRoom[]> {
  return Map.groupBy(spans, ({ roomId }) => roomId);
}

/** No span lies in another one; movements of one instant stay as they came. */
function inOrder(a: SpanOfRoom, b: SpanOfRoom): number {
  return a.phase - b.phase || a.endsAt - b.endsAt;
}
