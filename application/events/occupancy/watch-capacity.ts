import { uuidv7 } from 'uuidv7';
import { type EventsDatabase, eventsDatabase } from '../../../data/events/database.ts';
import { type EventRow, findEvent } from '../../../data/events/sites/events.ts';
import { findRoom } from '../../../data/events/sites/rooms.ts';
import { judgeMovementsOf, nextUnjudged } from '../../../data/events/timeline/judge-movements.ts';
import { listTopSpans } from '../../../data/events/timeline/room-spans.ts';
import {
  beginLook,
  dueWatches,
  endLook,
  nextWatchedEvent,
  type RoomLook,
  type RoomWatch,
  recordLook,
} from '../../../data/events/timeline/room-watches.ts';
import { MINUTE_MS, SECOND_MS } from '../../../domain/calendar/durations.ts';
import { capacityNotice } from '../../../domain/events/capacity-notice.ts';
import type { CapacityAlert } from '../../../domain/events/occupancy.ts';
import { log } from '../../../durable-objects/log/log.ts';
import { describeBug } from '../../log/describe-bug.ts';
import { tellSoon } from '../outgoing/tell-soon.ts';
import { lastAlert } from './list-alerts.ts';
import { spansUntilNow } from './room-spans.ts';

/** Whoever looks is believed to be gone after so long. */
const LOOK_MS_MAX = 30 * SECOND_MS;
/** What one call does of an event: what is left stays due, and goes on with the next change or by the clock. */
interface Share {
  readonly looks: number;
  /** That a look judges. */
  readonly batches: number;
  /** That a look holds against their capacities. */
  readonly rooms: number;
}

/** Some two hundred queries, and five hundred at the very most: the rest of the thousand is the request's own. */
const SHARE_OF_REQUEST: Share = { looks: 2, batches: 2, rooms: 10 };
const SHARE_OF_JOB: Share = { looks: 3, batches: 40, rooms: 50 };
/** Rows that a look judges. */
const ROWS_JUDGED_MAX = 400_000;
/** Until a room is looked at again of which a camera has told something that is still to come. */
const AHEAD_MS = MINUTE_MS / 2;

/**
 * Holds rooms of an event against their capacities where somebody moved, and writes down what its tenant is told of it. Whatever moves somebody calls it; what it
 * does not get to is found by `watchCapacities`, since that a room is to be looked at stands with its movements.
 */
async function watchCapacity(env: Env, eventId: string, share: Share): Promise<void> {
  const db = eventsDatabase(env.EVENTS_DB);
  for (let look = 0; look < share.looks; look++) {
    const now = Date.now();
    const until = now + LOOK_MS_MAX;
    if (!(await beginLook(db, { eventId, now, until }))) return;
    let hasNews = false;
    let isLeft = false;
    try {
      hasNews = await lookAtRooms(db, eventId, { now, ...share });
    } finally {
      isLeft = await endLook(db, { eventId, now, until });
    }
    if (hasNews) await tellSoon(env);
    if (!isLeft) return;
  }
}

/** The same for a request that has moved somebody, which does not fail by it: once, and after all else that it asks, since its queries are counted. */
export async function watchCapacitySoon(env: Env, eventId: string): Promise<void> {
  try {
    await watchCapacity(env, eventId, SHARE_OF_REQUEST);
  } catch (error) {
    log('warn', 'a capacity was not looked at', { event: eventId, ...describeBug(error) });
  }
}

/**
 * Every five minutes: what has come with time, such as the end of an event, and what nobody looked at. That is asked of events alone that have something to
 * look at: others would take the queries of each invocation, and it begins with the first event again.
 */
export async function watchCapacities(env: Env): Promise<void> {
  const db = eventsDatabase(env.EVENTS_DB);
  const errors: unknown[] = [];
  const finders = [
    (after: string) => nextWatchedEvent(db, { after, now: Date.now() }),
    (after: string) => nextUnjudged(db, { after, hasCapacity: true }),
  ];
  for (const find of finders)
    for (let eventId = await find(''); eventId !== null; eventId = await find(eventId))
      // One that fails keeps back no other.
      await watchCapacity(env, eventId, SHARE_OF_JOB).catch((error) => errors.push(error));
  if (errors.length > 0) throw new AggregateError(errors, 'capacities of some events were not watched');
}

/** @returns whether there is something to tell */
async function lookAtRooms(
  db: EventsDatabase,
  eventId: string,
  { now, batches, rooms }: Omit<Share, 'looks'> & { readonly now: number },
): Promise<boolean> {
  if (!(await judgeMovementsOf(db, eventId, ROWS_JUDGED_MAX, batches))) return false;
  const watches = await dueWatches(db, { eventId, now, limit: rooms });
  const event = watches[0] === undefined ? null : await findEvent(db, watches[0].tenant, eventId);
  if (event === null) return false;
  let hasNews = false;
  for (const watch of watches) if (await recordLook(db, watch, await lookAt(db, event, watch, now))) hasNews = true;
  return hasNews;
}

/** By what was judged so far: whatever is judged meanwhile has the room looked at again. */
async function lookAt(db: EventsDatabase, event: EventRow, watch: RoomWatch, now: number): Promise<RoomLook> {
  const { roomId, eventId, toldStartedAt, toldIsOver } = watch;
  const room = await findRoom(db, event.tenant, roomId);
  if (room === null || room.capacity === null) return { now, lookAt: null, notice: null };
  const { capacity } = room;
  const time = { during: event, now };
  const top = await listTopSpans(db, { eventId, roomId });
  const last = await lastAlert(db, await spansUntilNow(db, top, time), { room, time });
  const told = toldStartedAt === null ? null : { startedAt: toldStartedAt, isOver: toldIsOver };
  const notice = capacityNotice(told, last);
  const nextLook = nextLookAt(event, { last, now, isAhead: top.some(({ endsAt }) => endsAt > now) });
  if (notice === null) return { now, lookAt: nextLook, notice };
  const facts = {
    event_id: eventId,
    room_id: roomId,
    alert_id: `${roomId}.${notice.startedAt}`,
    status: notice.status,
    capacity,
    occupancy: notice.occupancy,
    started_at: new Date(notice.startedAt).toISOString(),
    ended_at: notice.endedAt === null ? null : new Date(notice.endedAt).toISOString(),
  };
  return { now, lookAt: nextLook, notice: { ...notice, id: uuidv7(), facts } };
}

/** When time alone changes how the room stands. */
function nextLookAt(
  { date, endDate }: EventRow,
  { last, now, isAhead }: { readonly last: CapacityAlert | null; readonly now: number; readonly isAhead: boolean },
): number | null {
  const times = [
    ...(isAhead ? [now + AHEAD_MS] : []),
    ...(now < date ? [date] : []),
    ...(last !== null && last.endedAt === null ? [endDate + 1] : []),
  ];
  return times.length === 0 ? null : Math.min(...times);
}
