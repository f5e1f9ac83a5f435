import { env } from 'cloudflare:workers';
import { eq, sql } from 'drizzle-orm';
import fc from 'fast-check';
import { uuidv7 } from 'uuidv7';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { listAlerts, type RoomAlert } from '../../../../application/events/occupancy/list-alerts.ts';
import { readOccupancy } from '../../../../application/events/occupancy/read-occupancy.ts';
import { readTimeline } from '../../../../application/events/timeline/read-timeline.ts';
import { traceOf } from '../../../../data/events/attendees/attendee-frames.ts';
import { mergeAttendee } from '../../../../data/events/attendees/attendee-merge.ts';
import { anonymizeEntries, deleteAttendeeRow } from '../../../../data/events/attendees/erasure.ts';
import { eventsDatabase } from '../../../../data/events/database.ts';
import { deleteEventContents } from '../../../../data/events/retention/retention.ts';
import { roomMovements, roomSpans, timeline } from '../../../../data/events/schema.ts';
import { findEvent } from '../../../../data/events/sites/events.ts';
import type { NewCorrection } from '../../../../data/events/timeline/corrections.ts';
import { judgeMovementsOf } from '../../../../data/events/timeline/judge-movements.ts';
import { restoreEntry, voidEntry, writeManualEntry } from '../../../../data/events/timeline/timeline-corrections.ts';
import { sqlBatch } from '../../../../data/sql-batch.ts';
import { capacityAlertsOf, movementCounts, occupancyOf } from '../../../../domain/events/occupancy.fixtures.ts';
import type { Sighting } from '../../../../domain/events/presence.ts';
import type { Result } from '../../../../domain/result.ts';
import { EVERY_HOUR, runCron } from '../../fixtures/run-cron.ts';
import type { SignedIn } from '../../fixtures/sign-in.ts';
import { allMovements, isWithin } from './all-movements.ts';
import { ask, bodyOf, createAttendee, createVenue, signedIn, startEventsService, type Venue } from './fixtures.ts';
import { recordSightings } from './record-sightings.ts';
import '../../../same-cases.ts';

const TENANT = 'org-room-movements';
const DATE = Date.parse('2026-06-01T10:00:00Z');
const END = Date.parse('2026-06-01T12:00:00Z');
const LONG_AFTER = END + 7 * 24 * 3_600_000;
const MINUTE_MS = 60_000;
const PEOPLE = 4;

let admin: SignedIn;

beforeAll(async () => {
  await startEventsService();
  admin = await signedIn(TENANT, 'event_admin');
});

afterEach(() => {
  vi.restoreAllMocks();
});

const db = () => eventsDatabase(env.EVENTS_DB);

function unwrapped<T>(result: Result<T, unknown>): T {
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
}

/** Two rooms that hold one person each, with an entry and an exit. */
interface Rooms {
  readonly venue: Venue;
  readonly rooms: readonly [string, string];
  readonly people: string[];
}

async function createRooms(): Promise<Rooms> {
  const dates = { date: new Date(DATE).toISOString(), endDate: new Date(END).toISOString() };
  const venue = await createVenue(admin, TENANT, { capacity: 1, ...dates });
  const room = { event_id: venue.eventId, name: 'Stage', capacity: 1 };
  const { id } = await bodyOf<{ id: string }>(ask(admin, 'POST /rooms', room), 201);
  const people: string[] = [];
  for (let person = 0; person < PEOPLE; person++) people.push(await createAttendee(venue, TENANT, `Person ${person}`));
  return { venue, rooms: [venue.roomId, id], people };
}

const place = { room: fc.nat(1), door: fc.constantFrom('entry', 'exit'), person: fc.nat(PEOPLE - 1) } as const;
/** Some before the event and some after it; in steps of twenty seconds, so that presences join. */
const minute = fc.integer({ min: -20 * 3, max: 140 * 3 }).map((step) => DATE + (step * MINUTE_MS) / 3);

const change = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('see' as const), ...place, at: minute, lasts: fc.nat(8) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('again' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('write' as const), ...place, at: minute }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constantFrom('void' as const, 'restore' as const), which: fc.nat(30) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constantFrom('merge' as const), into: place.person, from: place.person }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('erase' as const), person: place.person }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('read' as const) }) },
);

type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

/** Makes changes happen as cameras and staff do. Whoever is gone, by a merge or an erasure, is followed by somebody else. */
class Happenings {
  readonly #of: Rooms;
  #last: (() => Promise<void>) | null = null;

  constructor(of: Rooms) {
    this.#of = of;
  }

  async make(one: Change): Promise<void> {
    const { venue, rooms, people } = this.#of;
    const { eventId, key } = venue;
    switch (one.kind) {
      case 'see': {
        const { room, door, person, at, lasts } = one;
        const camera = { ...venue.cameras[door], id: `${eventId}.${room}.${door}`, roomId: rooms[room]! };
        const sightings = Array.from({ length: lasts + 1 }, (_, step): Sighting => {
          const capturedAt = at + step * 20_000;
          return { attendeeId: people[person]!, faceId: 'f', similarity: 0.9, capturedAt, frameId: `f-${capturedAt}` };
        });
        this.#last = () => recordSightings(db(), key, camera, sightings);
        return this.#last();
      }
      case 'again':
        return this.#last?.();
      case 'write': {
        const entry = { roomId: rooms[one.room]!, attendeeId: people[one.person]!, at: one.at };
        const type = one.door === 'entry' ? 'entered' : 'exited';
        await writeManualEntry(db(), key, { ...entry, type }, this.#correction('manual_entry'));
        return;
      }
      case 'void':
      case 'restore': {
        const entries = await db().select({ id: timeline.id }).from(timeline).where(eq(timeline.eventId, eventId));
        const entry = entries.at(one.which % Math.max(1, entries.length));
        if (entry === undefined) return;
        if (one.kind === 'void') await voidEntry(db(), key, entry.id, this.#correction('not_this_person'));
        else await restoreEntry(db(), key, entry.id, this.#correction('restored'));
        return;
      }
      case 'merge': {
        const [from, into] = [people[one.from]!, people[one.into]!];
        if (from === into) return;
        await mergeAttendee(db(), key, { from, into }, this.#correction('merge'));
        people[one.from] = await createAttendee(venue, TENANT, 'Another');
        return;
      }
      case 'erase': {
        const gone = people[one.person]!;
        const trace = await traceOf(db(), key, eventId, gone);
        await deleteAttendeeRow(db(), eventId, gone);
        await anonymizeEntries(db(), trace, gone);
        people[one.person] = await createAttendee(venue, TENANT, 'Another');
        return;
      }
      case 'read':
        await judgeMovementsOf(db(), eventId, 1);
    }
  }

  #correction(kind: NewCorrection['kind']): NewCorrection {
    const { eventId } = this.#of.venue;
    return { id: uuidv7(), tenant: TENANT, eventId, kind, actor: 'staff', change: { reason: 'test' }, now: Date.now() };
  }
}

const alertOf = ({ room, alert: { occupancy, startedAt, endedAt } }: RoomAlert) => ({
  room: room.id,
  occupancy,
  startedAt,
  endedAt,
});

/** All alerts, page by page. */
async function alertsOf(eventId: string, limit: number) {
  const alerts: ReturnType<typeof alertOf>[] = [];
  for (let after: { at: number; id: string } | null = null; ; ) {
    const page = unwrapped(await listAlerts(env, TENANT, eventId, { after, limit }));
    alerts.push(...page.alerts.map(alertOf));
    const last = alerts.at(-1);
    if (last === undefined || (page.alerts.length < limit && !page.isCutShort)) return alerts;
    after = { at: last.startedAt, id: last.room };
  }
}

/** Asks all that is read of movements, and reads all entries beside it. */
async function expectSame({ venue, rooms }: Rooms, now: number, limit: number): Promise<void> {
  const { eventId } = venue;
  vi.spyOn(Date, 'now').mockReturnValue(now);
  const occupancy = unwrapped(await readOccupancy(env, TENANT, eventId));
  const alerts = await alertsOf(eventId, limit);
  vi.restoreAllMocks();
  const during = (await findEvent(db(), TENANT, eventId))!;
  const time = { during, now };
  const all = await allMovements(db(), eventId, now);
  expect(occupancy.map(({ room, occupancy: counted }) => [room.id, counted])).toEqual(
    occupancy.map(({ room }) => [room.id, occupancyOf(all.get(room.id) ?? [], time)]),
  );
  const expected = rooms
    .flatMap((room) => capacityAlertsOf(all.get(room) ?? [], 1, time).map((alert) => ({ room, ...alert })))
    .toSorted((a, b) => a.startedAt - b.startedAt || (a.room < b.room ? -1 : 1));
  expect(alerts).toEqual(expected);
}

async function expectSameSums(
  { venue, people }: Rooms,
  filter: { at: number; lasts: number; person: number; door: number },
) {
  const { eventId, key } = venue;
  const all = await allMovements(db(), eventId);
  const person = people[filter.person]!;
  const cameraId = `${eventId}.0.${filter.door === 0 ? 'entry' : 'exit'}`;
  const time = { from: filter.at, to: filter.at + filter.lasts * MINUTE_MS };
  for (const of of [{}, { person }, { cameraId }, time, { ...time, person }, { ...time, cameraId, person }]) {
    const named = { roomId: undefined, cameraId: undefined, from: undefined, to: undefined, ...of };
    const page = { includeVoided: false, after: null, limit: 1 };
    const attendeeId = 'person' in of ? person : undefined;
    const { total, rooms } = unwrapped(await readTimeline(env, TENANT, { eventId, ...named, ...page, attendeeId }));
    const tag = 'person' in of ? await key.tag('attendee', person) : undefined;
    const expected = [...all].map(([roomId, movements]) => ({
      roomId,
      movements: movementCounts(movements.filter((movement) => isWithin(movement, { ...named, person: tag }))),
    }));
    expect(rooms, JSON.stringify(of)).toEqual(expected.toSorted((a, b) => (a.roomId < b.roomId ? -1 : 1)));
    expect(total.entries).toBe(expected.reduce((sum, { movements }) => sum + movements.entries, 0));
  }
}

describe('occupancy, alerts and sums', () => {
  it('are what all entries come to, whatever cameras and staff do in whatever order', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(change, { minLength: 5, maxLength: 40 }),
        fc.record({
          at: minute,
          lasts: fc.nat(60),
          person: place.person,
          door: fc.nat(1),
          limit: fc.integer({ min: 1, max: 4 }),
        }),
        async (changes, { limit, ...asked }) => {
          const rooms = await createRooms();
          const happenings = new Happenings(rooms);
          for (const one of changes) await happenings.make(one);
          await expectSame(rooms, asked.at, limit);
          await expectSame(rooms, LONG_AFTER, limit);
          await expectSameSums(rooms, asked);
        },
      ),
      { numRuns: 12 },
    );
  });

  it('list alerts page by page, whatever span hides several of them', async () => {
    const rooms = await createRooms();
    const happenings = new Happenings(rooms);
    const see = (door: 'entry' | 'exit', person: number, at: number) =>
      happenings.make({ kind: 'see', room: 0, door, person, at: DATE + at * MINUTE_MS, lasts: 0 });
    await see('entry', 0, 1);
    for (const at of [5, 6, 20, 90, 95]) {
      await see('entry', 1, at);
      await see('exit', 1, at + 0.75);
    }
    expect(await alertsOf(rooms.venue.eventId, 10)).toHaveLength(5);
    for (const limit of [1, 2, 5]) await expectSame(rooms, LONG_AFTER, limit);
  });

  it('are the same after an erasure, and nothing that is summed says whom', async () => {
    const rooms = await createRooms();
    const { venue, people } = rooms;
    const { eventId, key } = venue;
    const happenings = new Happenings(rooms);
    const see = (door: 'entry' | 'exit', person: number, at: number) =>
      happenings.make({ kind: 'see', room: 0, door, person, at: DATE + at * MINUTE_MS, lasts: 0 });
    for (const [door, person, at] of [
      ['entry', 0, 1],
      ['entry', 1, 2],
      ['exit', 0, 5],
      ['entry', 0, 9],
    ] as const)
      await see(door, person, at);
    const [gone] = people as [string];
    const tag = await key.tag('attendee', gone);
    const before = unwrapped(await readOccupancy(env, TENANT, eventId));
    expect(before[0]?.occupancy).toMatchObject({ current: 2, entries: 3, exits: 1 });
    await happenings.make({ kind: 'erase', person: 0 });
    const heldOf = async () =>
      JSON.stringify([
        await db().select().from(roomMovements).where(eq(roomMovements.eventId, eventId)),
        await db().select().from(roomSpans).where(eq(roomSpans.eventId, eventId)),
        await db().select().from(timeline).where(eq(timeline.eventId, eventId)),
      ]);
    const held = await heldOf();
    expect([held.includes(tag), held.includes(gone)]).toEqual([false, false]);
    expect(unwrapped(await readOccupancy(env, TENANT, eventId))).toEqual(before);
    const after = await heldOf();
    expect([after.includes(tag), after.includes(gone)]).toEqual([false, false]);
  });

  it('are judged by the hourly sweep where nobody asks', async () => {
    const rooms = await createRooms();
    const { eventId } = rooms.venue;
    const happenings = new Happenings(rooms);
    for (const person of [0, 1])
      await happenings.make({ kind: 'see', room: 0, door: 'entry', person, at: DATE, lasts: 0 });
    await runCron(EVERY_HOUR);
    const entries = await db().select({ judged: timeline.judged }).from(timeline).where(eq(timeline.eventId, eventId));
    expect(entries).toEqual([{ judged: true }, { judged: true }]);
    const { counted, rows: read } = counting();
    expect(unwrapped(await readOccupancy(counted, TENANT, eventId))[0]?.occupancy.current).toBe(2);
    expect(read()).toBeLessThan(100);
  });

  it('go with the event when it is shredded', async () => {
    const rooms = await createRooms();
    const { eventId } = rooms.venue;
    const happenings = new Happenings(rooms);
    await happenings.make({ kind: 'see', room: 0, door: 'entry', person: 0, at: DATE, lasts: 0 });
    await readOccupancy(env, TENANT, eventId);
    await happenings.make({ kind: 'see', room: 0, door: 'exit', person: 0, at: DATE + MINUTE_MS, lasts: 0 });
    await deleteEventContents(db(), eventId);
    for (const table of [roomMovements, roomSpans, timeline])
      expect(await db().select().from(table).where(eq(table.eventId, eventId))).toEqual([]);
  });
});

/** The environment with a database that counts the rows that it reads. @param times what it says of a batch, in place of once each */
function counting(times = 1): { readonly counted: Env; rows(): number } {
  let rows = 0;
  type Statement = ReturnType<typeof env.EVENTS_DB.prepare>;
  const wrapped = new WeakMap<object, Statement>();
  const wrap = (statement: Statement): Statement => {
    const all = async () => {
      const answer = await statement.all();
      rows += answer.meta.rows_read;
      return answer;
    };
    const wrapper = {
      bind: (...values: unknown[]) => wrap(statement.bind(...values)),
      all,
      run: all,
      // An answer without names says nothing of its rows.
      raw: async () => {
        await all();
        return statement.raw();
      },
    } as unknown as Statement;
    wrapped.set(wrapper, statement);
    return wrapper;
  };
  const database = {
    prepare: (text: string) => wrap(env.EVENTS_DB.prepare(text)),
    batch: async (statements: Statement[]) => {
      const answers = await env.EVENTS_DB.batch(statements.map((one) => wrapped.get(one)!));
      for (const { meta } of answers) rows += meta.rows_read;
      return answers.map((answer) => ({
        ...answer,
        meta: { ...answer.meta, rows_read: answer.meta.rows_read * times },
      }));
    },
  };
  return { counted: { ...env, EVENTS_DB: database as unknown as Env['EVENTS_DB'] }, rows: () => rows };
}

describe('a read of an event with tens of thousands of movements', () => {
  /** As cameras would have written them: 500 people who come and go, one after the other every 300 ms. */
  async function createCrowd(entries: number): Promise<Rooms> {
    const rooms = await createRooms();
    const { eventId } = rooms.venue;
    await sqlBatch(db(), [
      sql`
        WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${sql.raw(String(entries - 1))})
        INSERT INTO timeline (
          id, tenant, event_id, room_id, camera_id, type, attendee_tag, sealed_identity, first_seen_at, last_seen_at, created_at
        )
        SELECT
          ${eventId} || '.' || i, ${TENANT}, ${eventId}, ${rooms.rooms[0]}, ${eventId} || '.0.' || ((i / 500) % 2),
          CASE (i / 500) % 2 WHEN 0 THEN 'entered' ELSE 'exited' END, 'tag-' || (i % 500), x'',
          ${sql.raw(String(DATE))} + i * 300, ${sql.raw(String(DATE))} + i * 300, ${sql.raw(String(DATE))}
        FROM n`,
    ]);
    return rooms;
  }

  it('reads few rows, and judges again what changed alone', async () => {
    const rooms = await createCrowd(24_000);
    const { eventId } = rooms.venue;
    // A batch judges half of the people.
    expect(await judgeMovementsOf(db(), eventId, 100_000_000, 1)).toBe(false);
    for (let calls = 0; !(await judgeMovementsOf(db(), eventId, 50_000)); calls++) expect(calls).toBeLessThan(60);

    const page = { roomId: undefined, cameraId: undefined, attendeeId: undefined, from: undefined, to: undefined };
    const reads: Readonly<Record<string, (from: Env) => Promise<Result<unknown, unknown>>>> = {
      occupancy: (from) => readOccupancy(from, TENANT, eventId),
      alerts: (from) => listAlerts(from, TENANT, eventId, { after: null, limit: 2 }),
      timeline: (from) => readTimeline(from, TENANT, { eventId, ...page, includeVoided: false, after: null, limit: 1 }),
    };
    const costs = async () => {
      const found: Record<string, number> = {};
      for (const [name, read] of Object.entries(reads)) {
        const { counted, rows } = counting();
        unwrapped(await read(counted));
        found[name] = rows();
      }
      return found;
    };
    const unchanged = await costs();
    expect(Math.max(...Object.values(unchanged)), JSON.stringify(unchanged)).toBeLessThan(2_000);
    await new Happenings(rooms).make({ kind: 'see', room: 0, door: 'entry', person: 0, at: DATE, lasts: 0 });
    const { counted, rows } = counting();
    unwrapped(await readOccupancy(counted, TENANT, eventId));
    expect(rows()).toBeLessThan(4_000);
    await expectSame(rooms, LONG_AFTER, 1_000);
  });

  it('that finds more changed than it looks at says so, and gets on', async () => {
    const { eventId } = (await createCrowd(1_000)).venue;
    const unjudged = sql`event_id = ${eventId} AND judged = 0`;
    const left = async () => (await db().select({ id: timeline.id }).from(timeline).where(unjudged)).length;
    const { counted } = counting(1_000_000);
    const counted503 = { ok: false, error: { code: 'SERVICE_UNAVAILABLE', details: { reason: 'counting_movements' } } };
    expect(await readOccupancy(counted, TENANT, eventId)).toMatchObject(counted503);
    expect(await left()).toBe(500);
    expect(unwrapped(await readOccupancy(counted, TENANT, eventId))[0]?.occupancy).toMatchObject({
      entries: 500,
      exits: 500,
    });
    expect(await left()).toBe(0);
  });
});
