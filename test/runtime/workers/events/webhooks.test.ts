import { env } from 'cloudflare:workers';
import { type Schema, Validator } from '@cfworker/json-schema';
import { and, eq, lte, sql } from 'drizzle-orm';
import { uuidv7 } from 'uuidv7';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { openCameraFor } from '../../../../application/events/frames/open-camera.ts';
import { takeFrame } from '../../../../application/events/frames/take-frame.ts';
import { watchCapacities } from '../../../../application/events/occupancy/watch-capacity.ts';
import { shredExpired } from '../../../../application/events/retention/shred-expired.ts';
import { database } from '../../../../data/database.ts';
import { eventsDatabase } from '../../../../data/events/database.ts';
import {
  CLOSED_OF_TENANT_MAX,
  closeDueEvents,
  markTold,
  REVIEW_IDS_MAX,
} from '../../../../data/events/outgoing/outgoing-events.ts';
import { departures, events as eventRows, outgoingEvents, roomWatches } from '../../../../data/events/schema.ts';
import { nextUnjudged } from '../../../../data/events/timeline/judge-movements.ts';
import { sqlBatch } from '../../../../data/sql-batch.ts';
import { findEndpoint } from '../../../../data/webhooks/endpoints.ts';
import { partnerEvent } from '../../../../data/webhooks/partner-event.ts';
import { DAY_MS, HOUR_MS } from '../../../../domain/calendar/durations.ts';
import { partnerEventsOf } from '../../../../durable-objects/partner-events/api.ts';
import { wakeDispatch } from '../../../../durable-objects/webhook-dispatch/api.ts';
import { webhookEndpointOf } from '../../../../durable-objects/webhook-endpoint/api.ts';
import type { ReceivedWebhook } from '../../../node/fixtures/webhook-receiver.ts';
import { codeOf } from '../../fixtures/call.ts';
import { dispatchFaults } from '../../fixtures/faulty-dispatch.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { eventually } from '../../fixtures/patience.ts';
import { type OutsideReceiver, outsideReceiver, verified } from '../../fixtures/webhook-receiver.ts';
import { type Staff, staffOf, staffWith } from './staff.ts';
import { faceOf, imageOf } from './test-image.ts';

interface Told {
  readonly webhook_event: { readonly event_id: string; readonly event_type: string; readonly endpoint: string };
  readonly [field: string]: unknown;
}

interface Webhook {
  readonly webhook_id: string;
  readonly secret: string;
}

interface Place {
  readonly eventId: string;
  readonly roomId: string;
  readonly entry: string;
  readonly exit: string;
}

const NOW = Date.now();
const REVIEWS = 'event.review_opened';
const CAPACITY = 'event.capacity_alert';
const DOUBTFUL = { unlike: 0.4 };

let staff: Staff;
let place: Place;

beforeAll(async () => {
  await migrate();
});

// An organization of its own each: what one is told is no other's.
beforeEach(async () => {
  staff = await staffOf(await migrate(), `org-${uuidv7()}`);
  place = await placeOf(staff);
});

afterEach(() => {
  vi.useRealTimers();
  dispatchFaults.kills = [];
  dispatchFaults.waits.clear();
});

async function made(by: Staff, target: string, json: object): Promise<string> {
  const { status, body } = await by.ask(target, { json });
  expect(status, JSON.stringify(body)).toBe(201);
  return (body as { id: string }).id;
}

/** An event that goes on now, with a room for one. */
async function placeOf(by: Staff): Promise<Place> {
  const day = (from: number) => new Date(from).toISOString();
  const dates = { date: day(NOW - DAY_MS), end_date: day(NOW + DAY_MS) };
  const eventId = await made(by, 'POST /events', { name: 'Fair', ...dates });
  const roomId = await made(by, 'POST /rooms', { event_id: eventId, name: 'Hall of Ana', capacity: 1 });
  const camera = (type: string) =>
    made(by, 'POST /cameras', { room_id: roomId, name: 'Door', type, source: 'rtsp://cameras.example/1' });
  const rule = { match_threshold: 0.9, review_threshold: 0.6, match_margin: 0.05 };
  expect((await by.ask(`PUT /events/${eventId}/match-rule`, { json: rule })).status).toBe(200);
  return { eventId, roomId, entry: await camera('entry'), exit: await camera('exit') };
}

async function register(name: string): Promise<string> {
  const form = { name, email: `${name}@example.com`, photo: imageOf({ faces: [faceOf(name)] }) };
  const consent = { consent: 'true', consent_text: 'I agree.' };
  const { status, body } = await staff.send(`POST /register-attendee/${place.eventId}`, { ...form, ...consent });
  expect(status, JSON.stringify(body)).toBe(201);
  return (body as { id: string }).id;
}

/** Sends a frame of so many seconds after an hour ago. */
async function seen(camera: string, seconds: number, ...faces: ReturnType<typeof faceOf>[]): Promise<void> {
  const captured_at = new Date(NOW - HOUR_MS + seconds * 1_000).toISOString();
  const { status, body } = await staff.send(`POST /cameras/${camera}/frames`, {
    image: imageOf({ faces }),
    captured_at,
  });
  expect(status, JSON.stringify(body)).toBe(200);
}

const doubtful = (name: string) => faceOf(name, 0, DOUBTFUL);

async function webhookOf(
  by: Staff,
  { url }: Pick<OutsideReceiver, 'url'>,
  terms: object = { events: [REVIEWS, CAPACITY] },
): Promise<Webhook> {
  const { status, body } = await by.ask('POST /v1/webhooks', { json: { url, ...terms } });
  expect(status, JSON.stringify(body)).toBe(201);
  return body as Webhook;
}

async function listed(by = staff, query = ''): Promise<readonly Told[]> {
  const { status, body } = await by.ask(`GET /v1/webhook-events${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return (body as { events: readonly Told[] }).events;
}

const listedOf = (count: number, by = staff) =>
  eventually(
    async () => {
      const all = await listed(by);
      return all.length >= count ? all : null;
    },
    () => `${count} events were not told`,
  );

async function reviewIds(): Promise<string[]> {
  const { body } = await staff.ask(`GET /events/${place.eventId}/reviews`);
  return (body as { reviews: { id: string }[] }).reviews.map(({ id }) => id).toSorted();
}

async function alerts(): Promise<readonly { readonly id: string }[]> {
  return ((await staff.ask(`GET /events/${place.eventId}/alerts`)).body as { alerts: { id: string }[] }).alerts;
}

const db = () => eventsDatabase(env.EVENTS_DB);

const outgoing = () => db().select().from(outgoingEvents).where(eq(outgoingEvents.eventId, place.eventId));

/** Rooms for one of the event, in each of which somebody has moved, for all that those who look know. */
async function dueRooms(count: number): Promise<void> {
  const { EVENTS_DB } = env;
  const ids = JSON.stringify(Array.from({ length: count }, () => uuidv7()));
  await EVENTS_DB.batch([
    EVENTS_DB.prepare(
      `INSERT INTO rooms (id, tenant, event_id, name, capacity, created_at) SELECT value, ?, ?, 'Room', 1, 0 FROM json_each(?)`,
    ).bind(staff.owner, place.eventId, ids),
    EVENTS_DB.prepare(
      'INSERT INTO room_watches (room_id, tenant, event_id, look_at) SELECT value, ?, ?, 0 FROM json_each(?)',
    ).bind(staff.owner, place.eventId, ids),
  ]);
}

const watchesDue = () =>
  db().$count(roomWatches, and(eq(roomWatches.eventId, place.eventId), lte(roomWatches.lookAt, Date.now())));

/** The same bindings, with the queries of events that they are asked, in order. */
function noted(): { readonly asked: readonly string[]; readonly watching: Env } {
  const asked: string[] = [];
  const prepare = (query: string) => {
    asked.push(query);
    return env.EVENTS_DB.prepare(query);
  };
  const batch = env.EVENTS_DB.batch.bind(env.EVENTS_DB);
  return { asked, watching: { ...env, EVENTS_DB: { prepare, batch } as unknown as D1Database } };
}

/** What waits for its time is due now. */
async function dueNow(): Promise<void> {
  await db().update(outgoingEvents).set({ dueAt: 0 }).where(eq(outgoingEvents.eventId, place.eventId));
  await wakeDispatch(env);
}

const untilTold = () =>
  eventually(
    async () => ((await outgoing()).every(({ toldAt }) => toldAt !== null) ? true : null),
    () => 'what is outgoing was not told',
  );

async function expectPublished(type: string, { body }: ReceivedWebhook): Promise<void> {
  const { body: schema } = await staff.ask(`GET /schemas/${type}.json`);
  expect(new Validator(schema as Schema, '2020-12', false).validate(JSON.parse(body))).toMatchObject({ valid: true });
}

describe('event.review_opened', () => {
  it('reaches who has registered for it, and stands in the list, once a camera has sent a doubtful face', async () => {
    const attendee = await register('ana');
    const receiver = outsideReceiver();
    const webhook = await webhookOf(staff, receiver);
    await seen(place.entry, 0, doubtful('ana'));
    const [received] = await receiver.receives(1);
    await expectPublished(REVIEWS, received!);
    const payload = verified(webhook.secret, received!);
    const { eventId, roomId, entry } = place;
    expect(payload).toEqual({
      webhook_event: {
        event_id: received!.headers['webhook-id'],
        event_type: REVIEWS,
        endpoint: receiver.url,
        timestamp: expect.any(String),
        version: '1.0.0',
      },
      event_id: eventId,
      room_id: roomId,
      camera_id: entry,
      review_ids: await reviewIds(),
      opened: 1,
      opened_at: expect.any(String),
    });
    for (const personal of [attendee, 'ana', 'Ana', 'similarity', 'Hall'])
      expect(received!.body).not.toContain(personal);
    const [told] = await listedOf(1);
    expect({ ...told, webhook_event: { ...told!.webhook_event, endpoint: receiver.url } }).toEqual(payload);
  });

  it('is told again for no frame that joins the review, and for none that is sent again', async () => {
    await register('ana');
    for (const seconds of [0, 1, 1, 2])
      await seen(place.entry, seconds, faceOf('ana', 0, { unlike: 0.4 + seconds / 100 }));
    await listedOf(1);
    expect(await outgoing()).toHaveLength(1);
  });

  it('tells together what one camera opens while its time has not come', async () => {
    const names = ['ana', 'bo', 'cy'];
    for (const name of names) await register(name);
    await seen(place.entry, 0, doubtful('ana'));
    await listedOf(1);
    await untilTold();
    await seen(place.entry, 100, doubtful('bo'));
    await seen(place.entry, 200, doubtful('cy'));
    expect((await outgoing()).filter(({ closedAt }) => closedAt === null)).toHaveLength(1);
    expect(await listed()).toHaveLength(1);
    await dueNow();
    const [first, second] = await listedOf(2);
    expect(second).toMatchObject({ opened: 2 });
    const ids = [first, second].flatMap((told) => told?.review_ids as string[]);
    expect(ids.toSorted()).toEqual(await reviewIds());
  });

  it('names a hundred reviews at most, and counts all', async () => {
    const names = ['ana', 'bo'];
    for (const name of names) await register(name);
    await seen(place.entry, 0, doubtful('ana'));
    await listedOf(1);
    await untilTold();
    await seen(place.entry, 100, doubtful('bo'));
    const [waiting] = (await outgoing()).filter(({ closedAt }) => closedAt === null);
    const many = Array.from({ length: REVIEW_IDS_MAX }, () => uuidv7());
    const facts = JSON.stringify({ ...JSON.parse(waiting!.facts), review_ids: many, opened: REVIEW_IDS_MAX });
    await db().update(outgoingEvents).set({ facts }).where(eq(outgoingEvents.id, waiting!.id));
    await seen(place.entry, 200, doubtful('ana'));
    await dueNow();
    const [, second] = await listedOf(2);
    expect(second).toMatchObject({ review_ids: many, opened: REVIEW_IDS_MAX + 1 });
  });
});

describe('event.capacity_alert', () => {
  it('is told once more people are in a room than it holds', async () => {
    for (const name of ['ana', 'bo']) await register(name);
    const receiver = outsideReceiver();
    const webhook = await webhookOf(staff, receiver);
    await seen(place.entry, 0, faceOf('ana'));
    expect(await listed()).toEqual([]);
    await seen(place.entry, 60, faceOf('bo'));
    const [raised] = await receiver.receives(1);
    await expectPublished(CAPACITY, raised!);
    const { eventId, roomId } = place;
    const [alert] = await alerts();
    expect(verified(webhook.secret, raised!)).toMatchObject({
      event_id: eventId,
      room_id: roomId,
      alert_id: alert?.id,
      status: 'raised',
      capacity: 1,
      occupancy: 2,
      ended_at: null,
    });
    for (const personal of ['ana', 'bo@', 'Hall']) expect(raised!.body).not.toContain(personal);
  });

  it('is told again once there are no more', async () => {
    for (const name of ['ana', 'bo']) await register(name);
    await seen(place.entry, 0, faceOf('ana'), faceOf('bo', 1));
    const [raised] = await listedOf(1);
    await untilTold();
    await seen(place.exit, 120, faceOf('ana'));
    await dueNow();
    const [, cleared] = await listedOf(2);
    const ended_at = new Date(NOW - HOUR_MS + 120_000).toISOString();
    expect(cleared).toMatchObject({ status: 'cleared', alert_id: raised?.alert_id, occupancy: 2, ended_at });
  });

  it('is told once of a room that goes on being too full, and of one that flaps the last', async () => {
    for (const name of ['ana', 'bo', 'cy']) await register(name);
    await seen(place.entry, 0, faceOf('ana'), faceOf('bo', 1));
    await listedOf(1);
    await untilTold();
    await seen(place.entry, 60, faceOf('cy'));
    expect(await outgoing()).toHaveLength(1);
    for (const [at, camera] of [place.exit, place.entry, place.exit, place.entry].entries())
      await seen(camera, 120 + at * 60, faceOf('bo'), faceOf('cy', 1));
    await dueNow();
    const [, second] = await listedOf(2);
    expect(second).toMatchObject({ status: 'raised', started_at: new Date(NOW - HOUR_MS + 300_000).toISOString() });
    await untilTold();
    expect(await listed()).toHaveLength(2);
  });

  it('is withdrawn by a correction that says that the room was never too full', async () => {
    for (const name of ['ana', 'bo']) await register(name);
    await seen(place.entry, 0, faceOf('ana'), faceOf('bo', 1));
    await listedOf(1);
    await untilTold();
    const { body } = await staff.ask(`GET /timeline?event_id=${place.eventId}`);
    const [entry] = (body as { entries: { id: string }[] }).entries;
    const voided = await staff.ask(`POST /timeline/${entry!.id}/void`, { json: { reason: 'somebody else' } });
    expect(voided.status, JSON.stringify(voided.body)).toBe(200);
    await dueNow();
    const [first, second] = await listedOf(2);
    expect(second).toMatchObject({ status: 'withdrawn', alert_id: first?.alert_id, occupancy: null, ended_at: null });
  });

  it('is found by the clock where whoever looked was killed', async () => {
    for (const name of ['ana', 'bo']) await register(name);
    const lookUntil = (capacityLookUntil: number) =>
      db().update(eventRows).set({ capacityLookUntil }).where(eq(eventRows.id, place.eventId));
    await lookUntil(Date.now() + HOUR_MS);
    await seen(place.entry, 0, faceOf('ana'), faceOf('bo', 1));
    // Whoever reads occupancy judges the movements, and does not take them from those who look.
    expect(await alerts()).toHaveLength(1);
    expect(await outgoing()).toEqual([]);
    await lookUntil(Date.now() - 1);
    await watchCapacities(env);
    expect(await listedOf(1)).toMatchObject([{ status: 'raised' }]);
  });

  it('is looked for by the clock where something is due first, and in no event that has no capacity', async () => {
    await register('ana');
    await db()
      .update(eventRows)
      .set({ capacityLookUntil: Date.now() + HOUR_MS })
      .where(eq(eventRows.id, place.eventId));
    await seen(place.entry, 0, faceOf('ana'));
    const day = (from: number) => new Date(from).toISOString();
    const other = await made(staff, 'POST /events', {
      name: 'Fair',
      date: day(NOW - DAY_MS),
      end_date: day(NOW + DAY_MS),
    });
    const room = await made(staff, 'POST /rooms', { event_id: other, name: 'Hall' });
    // As its camera would have written it.
    await env.EVENTS_DB.prepare(
      `INSERT INTO timeline (id, tenant, event_id, room_id, camera_id, type, attendee_tag, sealed_identity, first_seen_at, last_seen_at, created_at)
       SELECT ?1, tenant, ?2, ?3, camera_id, type, attendee_tag, sealed_identity, first_seen_at, last_seen_at, created_at FROM timeline WHERE event_id = ?4`,
    )
      .bind(uuidv7(), other, room, place.eventId)
      .run();
    const upTo = (id: string) => ({ after: id.slice(0, -1) });
    for (const id of [place.eventId, other]) expect(await nextUnjudged(db(), upTo(id))).toBe(id);
    expect(await nextUnjudged(db(), { ...upTo(place.eventId), hasCapacity: true })).toBe(place.eventId);
    expect(await nextUnjudged(db(), { ...upTo(other), hasCapacity: true })).not.toBe(other);

    await db().update(eventRows).set({ capacityLookUntil: 0 }).where(eq(eventRows.id, place.eventId));
    const { asked, watching } = noted();
    await watchCapacities(watching);
    const finders = asked.filter((query) => /FROM events AS e\s|from "room_watches" inner join/.test(query));
    expect(finders[0]).toContain('room_watches');
    expect(finders.at(-1)).toContain('capacity IS NOT NULL');
    expect(await nextUnjudged(db(), upTo(place.eventId))).not.toBe(place.eventId);
    expect(await nextUnjudged(db(), upTo(other))).toBe(other);
  });

  it('is looked for once after all frames of a request, in few rooms, and in the others by the clock', async () => {
    await register('ana');
    await dueRooms(30);
    const frames = [0, 100].map((seconds) => ({
      image: imageOf({ faces: [faceOf('ana')] }),
      captured_at: new Date(NOW - HOUR_MS + seconds * 1_000).toISOString(),
    }));
    const { status } = await staff.send(`POST /cameras/${place.entry}/frames/batch`, {
      image: frames.map(({ image }) => image),
      captured_at: frames.map(({ captured_at }) => captured_at),
    });
    expect(status).toBe(200);
    // Two looks at ten rooms each, of these and of the one that ana went into.
    expect(await watchesDue()).toBe(11);
    await watchCapacities(env);
    expect(await watchesDue()).toBe(0);
  });

  it('fails no frame where it cannot be looked for', async () => {
    await register('ana');
    let isSpent = false;
    const prepare = (query: string) => {
      isSpent ||= query.includes('SET capacity_look_until');
      if (isSpent) throw new Error('the queries are used up');
      return env.EVENTS_DB.prepare(query);
    };
    const batch = env.EVENTS_DB.batch.bind(env.EVENTS_DB);
    const spending: Env = { ...env, EVENTS_DB: { prepare, batch } as unknown as D1Database };
    const { owner: tenant, userId } = staff;
    const sender = { tenant, userId, mayReadAttendees: true, mayBindCameras: true };
    const camera = await openCameraFor(spending, sender, place.entry);
    const frame = { image: imageOf({ faces: [faceOf('ana')] }), capturedAt: NOW - HOUR_MS };
    const caller = { requestId: uuidv7(), organization: tenant, tenant };
    const taken = await takeFrame(spending, caller, camera!, frame);
    expect(taken).toMatchObject({ ok: true, value: { hasMoved: true, entries: [{ type: 'entered' }] } });
    expect(isSpent).toBe(true);
  });

  it('ends with its event, by the clock', async () => {
    for (const name of ['ana', 'bo']) await register(name);
    await seen(place.entry, 0, faceOf('ana'), faceOf('bo', 1));
    await listedOf(1);
    await untilTold();
    vi.useFakeTimers({ toFake: ['Date'], now: NOW + DAY_MS + 2 });
    await watchCapacities(env);
    vi.useRealTimers();
    await dueNow();
    const [, second] = await listedOf(2);
    expect(second).toMatchObject({ status: 'cleared', ended_at: new Date(NOW + DAY_MS).toISOString() });
  });
});

describe('what is told', () => {
  it.each(['before_tenants_enqueue', 'before_tenants_mark', 'after_tenants_mark'] as const)(
    'is one message with one body where the dispatcher is killed %s',
    async (point) => {
      await register('ana');
      const receiver = outsideReceiver();
      await webhookOf(staff, receiver);
      dispatchFaults.kills = [point];
      await seen(place.entry, 0, doubtful('ana'));
      await eventually(
        async () => (dispatchFaults.kills.length === 0 ? true : null),
        () => `not killed ${point}`,
      );
      await eventually(
        async () => {
          await wakeDispatch(env).catch(() => undefined);
          return (await outgoing()).every(({ toldAt }) => toldAt !== null) ? true : null;
        },
        () => 'not told after the kill',
      );
      const all = await receiver.receives(1);
      expect(new Set(all.map(({ body }) => body)).size).toBe(1);
      expect(await listedOf(1)).toHaveLength(1);
    },
  );

  it('is nothing of an event that was deleted, and what has waited once it is restored', async () => {
    for (const name of ['ana', 'bo']) await register(name);
    await seen(place.entry, 0, doubtful('ana'));
    await listedOf(1);
    await untilTold();
    await seen(place.entry, 100, doubtful('bo'));
    await db().update(outgoingEvents).set({ dueAt: 0 }).where(eq(outgoingEvents.eventId, place.eventId));
    const isTheirs = ({ eventId }: { eventId: string }) => eventId === place.eventId;
    const deleted = async () => expect((await staff.ask(`DELETE /events/${place.eventId}`)).status).toBe(200);
    const restored = async () => expect((await staff.ask(`POST /events/${place.eventId}/restore`)).status).toBe(200);
    await deleted();
    expect((await closeDueEvents(db(), Date.now())).filter(isTheirs)).toEqual([]);
    await restored();
    // Deleted between the close and the telling.
    expect((await closeDueEvents(db(), Date.now())).filter(isTheirs)).toHaveLength(1);
    await deleted();
    expect((await closeDueEvents(db(), Date.now())).filter(isTheirs)).toEqual([]);
    await wakeDispatch(env);
    expect(await listed()).toHaveLength(1);
    await restored();
    await wakeDispatch(env);
    expect(await listedOf(2)).toHaveLength(2);
  });

  it('is of few events of one tenant at once, so that another one has its turn', async () => {
    const other = await staffOf(await migrate(), `org-${uuidv7()}`);
    const theirs = await placeOf(other);
    const now = Date.now();
    const row = (tenant: string, eventId: string, dueAt: number) => ({
      id: uuidv7(),
      tenant,
      eventId,
      type: 'event.review_opened' as const,
      subject: uuidv7(),
      facts: '{}',
      createdAt: now,
      dueAt,
    });
    const flood = Array.from({ length: CLOSED_OF_TENANT_MAX + 5 }, () => row(staff.owner, place.eventId, now - 10));
    const late = row(other.owner, theirs.eventId, now);
    for (let at = 0; at < flood.length; at += 5)
      await db()
        .insert(outgoingEvents)
        .values(flood.slice(at, at + 5));
    await db().insert(outgoingEvents).values(late);
    const closed = await closeDueEvents(db(), now);
    expect(closed.filter(({ tenant }) => tenant === staff.owner)).toHaveLength(CLOSED_OF_TENANT_MAX);
    expect(closed.map(({ id }) => id)).toContain(late.id);
    // Nothing more is closed until these are told, and they stay as they are.
    expect(await closeDueEvents(db(), now + 1)).toEqual(closed);
    await markTold(
      db(),
      closed.map(({ id }) => id),
      now,
    );
    const next = await closeDueEvents(db(), now + 1);
    expect(next.filter(({ tenant }) => tenant === staff.owner)).toHaveLength(5);
    await db().delete(outgoingEvents);
  });
});

describe('what an exchange tells', () => {
  /** Of a security that nobody has listed. */
  async function isTold(): Promise<void> {
    const id = uuidv7();
    const facts = { trade_id: uuidv7(), status: 'SETTLED', tx_hash: null } as const;
    const event = { id, type: 'settlement.finalized', securityId: uuidv7(), facts, createdAt: Date.now() } as const;
    await sqlBatch(database(env.DB), [partnerEvent({ ...event, when: sql`true` })]);
    await wakeDispatch(env, 'exchange');
    const row = env.DB.prepare('SELECT dispatched_at AS at FROM domain_events WHERE id = ?1').bind(id);
    await eventually(
      async () => (await row.first<{ at: number | null }>())?.at,
      () => 'it waits',
    );
  }

  it('waits for nothing that tenants are told', async () => {
    await register('ana');
    let goesOn = () => undefined as unknown;
    const isSlow = new Promise<void>((resolve) => {
      goesOn = resolve;
    });
    dispatchFaults.waits.set('before_tenants_mark', isSlow);
    await seen(place.entry, 0, doubtful('ana'));
    await listedOf(1);
    // What slow objects, or a slow database, hold up.
    for (let count = 0; count < 2; count++) await isTold();
    expect(await outgoing()).toMatchObject([{ toldAt: null }]);
    goesOn();
    await untilTold();
  });

  it('has nobody look for what tenants are told', async () => {
    await db().delete(outgoingEvents);
    const before = dispatchFaults.looks;
    await wakeDispatch(env, 'tenants');
    await vi.waitUntil(() => dispatchFaults.looks > before);
    const { looks } = dispatchFaults;
    for (let count = 0; count < 4; count++) await isTold();
    // One that was due may have come before the one that was woken.
    expect(dispatchFaults.looks - looks).toBeLessThanOrEqual(1);
  });
});

describe('webhooks of a tenant', () => {
  const routes = (id: string, delivery = uuidv7()) =>
    [
      [`GET /v1/webhooks/${id}`],
      [`PATCH /v1/webhooks/${id}`, { enabled: false }],
      [`DELETE /v1/webhooks/${id}`],
      [`POST /v1/webhooks/${id}/rotate-secret`],
      [`POST /v1/webhooks/${id}/test`, {}],
      [`GET /v1/webhooks/${id}/deliveries`],
      [`GET /v1/webhooks/${id}/deliveries/${delivery}`],
      [`POST /v1/webhooks/${id}/deliveries/${delivery}/replay`],
      [`POST /v1/webhooks/${id}/deliveries/${delivery}/skip`],
      [`POST /v1/webhooks/${id}/replay`, { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' }],
    ] as const;

  it('are 404 for another organization and for another tenant of the same one, whose lists have nothing of it', async () => {
    await register('ana');
    const { webhook_id: id } = await webhookOf(staff, outsideReceiver());
    await seen(place.entry, 0, doubtful('ana'));
    await listedOf(1);
    const other = await staffOf(await migrate(), `org-${uuidv7()}`);
    const ofOtherTenant = await staffWith(staff, 'another');
    for (const stranger of [other, ofOtherTenant]) {
      for (const [target, json] of routes(id))
        expect([target, (await stranger.ask(target, { json })).status]).toEqual([target, 404]);
      expect((await stranger.ask('GET /v1/webhooks')).body).toEqual({ webhooks: [] });
      expect(await listed(stranger)).toEqual([]);
    }
    expect((await staff.ask(`GET /v1/webhooks/${id}`)).body).toMatchObject({ webhook_id: id, status: 'enabled' });
  });

  it('are for event admins, and the list for whoever decides reviews', async () => {
    const operator = await staffOf(await migrate(), staff.owner, ['event_operator']);
    const viewer = await staffOf(await migrate(), staff.owner, ['event_viewer']);
    for (const [target, json] of [
      ...routes(uuidv7()),
      ['POST /v1/webhooks', { url: 'https://a.example', events: [REVIEWS] }],
    ] as const)
      expect([target, (await operator.ask(target, { json })).status]).toEqual([target, 403]);
    expect(await listed(operator)).toEqual([]);
    expect((await viewer.ask('GET /v1/webhook-events')).status).toBe(403);
  });

  it('take events of the tenant alone, in an order of events, and are ten at most', async () => {
    const { url } = outsideReceiver();
    const refused = await staff.ask('POST /v1/webhooks', { json: { url, events: ['trade.executed'] } });
    expect([refused.status, codeOf(refused)]).toEqual([400, 'VALIDATION_ERROR']);
    const terms = { events: [CAPACITY], ordering: 'event', event_ids: [place.eventId] };
    const { webhook_id: id } = await webhookOf(staff, { url }, terms);
    expect((await staff.ask(`GET /v1/webhooks/${id}`)).body).toMatchObject({ ...terms, waiting: 0 });
    const changed = await staff.ask(`PATCH /v1/webhooks/${id}`, { json: { event_ids: null, enabled: false } });
    expect(changed.body).toMatchObject({ event_ids: null, status: 'disabled', events: [CAPACITY] });
    for (let count = 1; count < 10; count++) await webhookOf(staff, { url });
    expect((await staff.ask('POST /v1/webhooks', { json: { url, events: [CAPACITY] } })).status).toBe(409);
  });

  it('receive what they have asked for: by event and by type', async () => {
    await register('ana');
    const [ofReviews, ofCapacity, ofOther] = [outsideReceiver(), outsideReceiver(), outsideReceiver()];
    await webhookOf(staff, ofReviews, { events: [REVIEWS], event_ids: [place.eventId] });
    await webhookOf(staff, ofCapacity, { events: [CAPACITY] });
    await webhookOf(staff, ofOther, { events: [REVIEWS], event_ids: [uuidv7()] });
    await seen(place.entry, 0, doubtful('ana'));
    await ofReviews.receives(1);
    await untilTold();
    expect([await ofCapacity.received(), await ofOther.received()]).toEqual([[], []]);
  });

  it('receive nothing of another tenant that is told at the same time', async () => {
    const other = await staffOf(await migrate(), `org-${uuidv7()}`);
    const theirs = await placeOf(other);
    const receivers = [outsideReceiver(), outsideReceiver()] as const;
    await webhookOf(staff, receivers[0]);
    await webhookOf(other, receivers[1]);
    const now = Date.now();
    const rows = [
      { tenant: staff.owner, eventId: place.eventId },
      { tenant: other.owner, eventId: theirs.eventId },
    ].map((of) => ({
      ...of,
      id: uuidv7(),
      type: 'event.review_opened' as const,
      subject: uuidv7(),
      facts: JSON.stringify({ event_id: of.eventId }),
      createdAt: now,
      dueAt: now,
    }));
    await db().insert(outgoingEvents).values(rows);
    await wakeDispatch(env);
    for (const [at, receiver] of receivers.entries()) {
      const ids = (await receiver.receives(1)).map(({ headers }) => headers['webhook-id']);
      expect(ids).toEqual([rows[at]?.id]);
    }
    await untilTold();
    for (const receiver of receivers) expect(await receiver.received()).toHaveLength(1);
  });

  it('go with a tenant that leaves, and their logs, whichever of them fails first', async () => {
    await register('ana');
    const receivers = [outsideReceiver(), outsideReceiver()];
    const ids: string[] = [];
    for (const receiver of receivers) ids.push((await webhookOf(staff, receiver)).webhook_id);
    await seen(place.entry, 0, doubtful('ana'));
    for (const receiver of receivers) await receiver.receives(1);
    await untilTold();
    const [away, other] = ids as [string, string];
    const rows = () => Promise.all(ids.map(async (id) => (await findEndpoint(database(env.DB), id)) !== null));
    const logOf = (id: string) =>
      webhookEndpointOf(env, id).deliveries({ state: null, eventId: null, before: null, limit: 10 });
    const list = { after: null, types: [REVIEWS], limit: 10, waitMs: 0 } as const;
    const told = async () => (await partnerEventsOf(env, `events:${staff.owner}`).read(list))?.events.length;
    expect([(await logOf(away)).length, (await logOf(other)).length, await told()]).toEqual([1, 1, 1]);
    expect((await staff.ask('DELETE /tenant', { json: { confirm: staff.owner } })).status).toBe(202);
    await db().update(departures).set({ leaveAt: Date.now() }).where(eq(departures.tenant, staff.owner));
    const WEBHOOK_ENDPOINT = {
      getByName: (id: string) => {
        if (id === away) throw new Error('the object is away');
        return env.WEBHOOK_ENDPOINT.getByName(id);
      },
    } as unknown as Env['WEBHOOK_ENDPOINT'];
    await expect(shredExpired({ ...env, WEBHOOK_ENDPOINT })).rejects.toThrow();
    expect(await rows()).toEqual([true, false]);
    await shredExpired(env);
    expect(await rows()).toEqual([false, false]);
    expect([await logOf(away), await logOf(other), await told()]).toEqual([[], [], 0]);
    // Whoever comes back begins with an empty list.
    await partnerEventsOf(env, `events:${staff.owner}`).append([{ eventId: uuidv7(), type: REVIEWS, payload: '{}' }]);
    expect(await told()).toBe(1);
  });

  it.each([REVIEWS, CAPACITY])('are tested with a sample of %s', async (event) => {
    const receiver = outsideReceiver();
    const { webhook_id: id, secret } = await webhookOf(staff, receiver);
    expect(await staff.ask(`POST /v1/webhooks/${id}/test`, { json: { event } })).toMatchObject({
      status: 200,
      body: { status: 'delivered' },
    });
    const [test] = await receiver.receives(1);
    await expectPublished(event, test!);
    expect(test!.headers['webhook-test']).toBe('true');
    expect(verified(secret, test!).event_id).toMatch(/^00000000-0000-4000-8000-/);
  });
});
