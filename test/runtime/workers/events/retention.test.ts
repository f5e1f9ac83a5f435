import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { uuidv7 } from 'uuidv7';
import { beforeAll, describe, expect, it } from 'vitest';
import { addVectors, galleryStatus, searchVectors } from '../../../../application/events/collections/gallery-shards.ts';
import {
  type OpenCollection,
  openEventCollection,
  useCollection,
} from '../../../../application/events/collections/open-collection.ts';
import { shredEvent } from '../../../../application/events/retention/shred-event.ts';
import { eventsDatabase } from '../../../../data/events/database.ts';
import { collectionsOfEvent } from '../../../../data/events/images/collections.ts';
import { getImage, imagePath, putImage } from '../../../../data/events/images/sealed-images.ts';
import { attendees, corrections, departures, events, timeline } from '../../../../data/events/schema.ts';
import { eventScope, findEventOrDeleted } from '../../../../data/events/sites/events.ts';
import { openIdentity } from '../../../../data/events/timeline/timeline-identity.ts';
import { galleryName } from '../../../../durable-objects/gallery/api.ts';
import { codeOf } from '../../fixtures/call.ts';
import { EVERY_HOUR, runCron } from '../../fixtures/run-cron.ts';
import type { SignedIn } from '../../fixtures/sign-in.ts';
import {
  ask,
  bodyOf,
  createAttendee,
  createVenue,
  keys,
  signedIn,
  startEventsService,
  type Venue,
} from './fixtures.ts';
import { interruptedAfter } from './interrupted-after.ts';
import { recordSightings } from './record-sightings.ts';

const TENANT = 'org-retention';
const MODEL = { name: 'test', version: '1', dimensions: 4 };
const EMBEDDING = Float32Array.from([1, 0, 0, 0]);
const FRAME = 'frame-1';

let admin: SignedIn;
let second: SignedIn;

beforeAll(async () => {
  await startEventsService();
  admin = await signedIn(TENANT, 'event_admin');
  second = await signedIn(TENANT, 'event_admin');
});

const db = () => eventsDatabase(env.EVENTS_DB);
const sweep = () => runCron(EVERY_HOUR);
const eventOf = (tenant: string, { eventId }: Venue) => findEventOrDeleted(db(), tenant, eventId);
const endPeriod = ({ eventId }: Venue) =>
  db().update(events).set({ shredAt: Date.now() }).where(eq(events.id, eventId));

interface Filled extends Venue {
  readonly attendeeId: string;
  readonly collection: OpenCollection;
  readonly framePath: string;
}

/** An event that holds something of each kind: an attendee, a face in its gallery, an image, a timeline entry and a correction. */
async function createFilled(as: SignedIn, tenant: string): Promise<Filled> {
  const venue = await createVenue(as, tenant);
  const attendeeId = await createAttendee(venue, tenant, 'Ada');
  const collection = (await openEventCollection(env, tenant, venue.eventId))!;
  await addVectors(env, collection, MODEL, [{ faceId: uuidv7(), shard: 0, subject: attendeeId, embedding: EMBEDDING }]);
  const scope = eventScope({ tenant, id: venue.eventId });
  const framePath = imagePath(scope, 'frame', FRAME);
  const place = { path: framePath, kind: 'frame', id: FRAME } as const;
  await putImage(env.EVENT_IMAGES, venue.key, place, new TextEncoder().encode('Ada at the door'));
  const sighting = { attendeeId, faceId: 'f', similarity: 0.9, capturedAt: 1_000, frameId: FRAME };
  await recordSightings(db(), venue.key, venue.cameras.entry, [sighting]);
  const { entries } = await bodyOf<{ entries: { id: string }[] }>(ask(as, `GET /timeline?event_id=${venue.eventId}`));
  await bodyOf(ask(as, `POST /timeline/${entries[0]!.id}/void`, { reason: 'not Ada' }));
  return { ...venue, attendeeId, collection, framePath };
}

const rowsOf = async ({ eventId }: Venue) => ({
  attendees: await db().select().from(attendees).where(eq(attendees.eventId, eventId)),
  timeline: await db().select().from(timeline).where(eq(timeline.eventId, eventId)),
  corrections: await db().select().from(corrections).where(eq(corrections.eventId, eventId)),
});

function galleryOf(tenant: string, { collection }: Filled) {
  return env.GALLERY.getByName(galleryName(tenant, collection.collection.id, 0));
}

/** All tables of a gallery's storage, and the statements that made them. */
type Storage = readonly {
  readonly sql: string;
  readonly name: string;
  readonly rows: Record<string, SqlStorageValue>[];
}[];

const copyStorage = (tenant: string, of: Filled): Promise<Storage> =>
  runInDurableObject(galleryOf(tenant, of), (_, { storage }) =>
    storage.sql
      .exec<{ sql: string; name: string }>(
        "SELECT sql, name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_%' ESCAPE '\\'",
      )
      .toArray()
      .map((table) => ({ ...table, rows: storage.sql.exec(`SELECT * FROM "${table.name}"`).toArray() })),
  );

const restoreStorage = (tenant: string, of: Filled, copy: Storage): Promise<void> =>
  runInDurableObject(galleryOf(tenant, of), (_, { storage }) => {
    for (const { sql, name, rows } of copy) {
      storage.sql.exec(sql.replace('CREATE TABLE', 'CREATE TABLE IF NOT EXISTS'));
      for (const row of rows) {
        const values = Object.values(row);
        storage.sql.exec(`INSERT OR REPLACE INTO "${name}" VALUES (${values.map(() => '?').join()})`, ...values);
      }
    }
  });

async function expectShredded(tenant: string, of: Filled): Promise<void> {
  expect(await rowsOf(of)).toEqual({ attendees: [], timeline: [], corrections: [] });
  expect(await collectionsOfEvent(db(), of.eventId)).toEqual([]);
  expect(await env.EVENT_IMAGES.get(of.framePath)).toBeNull();
  expect((await copyStorage(tenant, of)).flatMap(({ rows }) => rows)).toEqual([]);
  expect(await keys().open(eventScope({ tenant, id: of.eventId }))).toBeNull();
  expect((await eventOf(tenant, of))?.shreddedAt).not.toBeNull();
}

describe('the hourly sweep', () => {
  it('leaves an event and what it holds until the retention period is over', async () => {
    const venue = await createFilled(admin, TENANT);
    await ask(admin, `DELETE /events/${venue.eventId}`);
    await sweep();
    expect((await rowsOf(venue)).timeline).toHaveLength(1);
    expect(await keys().open(eventScope({ tenant: TENANT, id: venue.eventId }))).not.toBeNull();
  });

  it('shreds it then: key, galleries, images and rows; its record stays', async () => {
    const venue = await createFilled(admin, TENANT);
    const other = await createFilled(admin, TENANT);
    await ask(admin, `DELETE /events/${venue.eventId}`);
    await endPeriod(venue);
    await sweep();
    await expectShredded(TENANT, venue);
    const record = await eventOf(TENANT, venue);
    expect(record).toMatchObject({ name: 'Fair', keyDestroyedAt: expect.any(Number), deletedAt: expect.any(Number) });
    expect(await galleryStatus(env, other.collection)).toMatchObject([{ size: 1 }]);
    expect((await rowsOf(other)).attendees).toHaveLength(1);
  });

  it('goes on where it was interrupted, at whatever step', async () => {
    const venue = await createFilled(admin, TENANT);
    await ask(admin, `DELETE /events/${venue.eventId}`);
    await endPeriod(venue);
    const event = (await eventOf(TENANT, venue))!;
    let calls = 0;
    for (let done = false; !done; calls++) {
      done = await shredEvent(interruptedAfter(calls), event).then(
        () => true,
        (error: Error) => {
          expect(String(error.cause ?? error)).toContain('interrupted');
          return false;
        },
      );
      if (calls > 0) expect(await keys().open(eventScope({ tenant: TENANT, id: venue.eventId }))).toBeNull();
    }
    expect(calls).toBeGreaterThan(10);
    await expectShredded(TENANT, venue);
  });
});

describe('once the key is destroyed', () => {
  it('no copy can be opened: restored rows, restored gallery storage, memory, images, under no key made since', async () => {
    const venue = await createFilled(admin, TENANT);
    const { collection, framePath, eventId } = venue;
    const query = [{ embedding: EMBEDDING, topK: 1, threshold: 0 }];
    expect(await searchVectors(env, collection, MODEL, query)).toMatchObject({ matches: [[{ similarity: 1 }]] });
    const rows = await rowsOf(venue);
    const [record] = await db().select().from(events).where(eq(events.id, eventId));
    const storage = await copyStorage(TENANT, venue);
    expect(storage.flatMap((table) => table.rows).length).toBeGreaterThan(0);
    const image = await (await env.EVENT_IMAGES.get(framePath))!.arrayBuffer();

    await ask(admin, `DELETE /events/${eventId}`);
    await bodyOf(ask(second, `POST /events/${eventId}/shred`));
    await expectShredded(TENANT, venue);

    await db().batch([
      db().update(events).set(record!).where(eq(events.id, eventId)),
      db().insert(attendees).values(rows.attendees),
      db().insert(timeline).values(rows.timeline),
      db().insert(corrections).values(rows.corrections),
    ]);
    await env.EVENT_IMAGES.put(framePath, image);
    await restoreStorage(TENANT, venue, storage);

    for (const target of [
      `GET /attendees/${eventId}`,
      `GET /attendees/${eventId}/${venue.attendeeId}`,
      `GET /timeline?event_id=${eventId}`,
      `GET /events/${eventId}/corrections`,
    ])
      expect((await ask(admin, target)).status, target).toBe(404);
    expect(await searchVectors(env, collection, MODEL, query)).toEqual({ type: 'key_destroyed' });

    const made = await keys().create(eventScope({ tenant: TENANT, id: eventId }));
    const [entry] = rows.timeline;
    expect(await openIdentity(made, entry!.id, entry!.sealedIdentity)).toBeNull();
    expect(await made.open(rows.attendees[0]!.sealedProfile, ['profile', venue.attendeeId])).toBeNull();
    const change = rows.corrections[0]!;
    expect(await made.open(change.sealedChange, ['correction', change.id])).toBeNull();
    expect(await getImage(env.EVENT_IMAGES, made, { path: framePath, kind: 'frame', id: FRAME })).toBeNull();
    expect(await made.tag('attendee', venue.attendeeId)).not.toBe(entry!.attendeeTag);
  });
});

describe('POST /events/{id}/shred', () => {
  it('is only for an event that somebody else of the tenant deleted, and may be repeated', async () => {
    const venue = await createFilled(admin, TENANT);
    const path = `POST /events/${venue.eventId}/shred`;
    expect(codeOf(await ask(admin, path))).toBe('CONFLICT');
    await ask(admin, `DELETE /events/${venue.eventId}`);
    expect((await ask(await signedIn('org-elsewhere', 'event_admin'), path)).status).toBe(404);
    expect(codeOf(await ask(admin, path))).toBe('CONFLICT');
    const shredded = await bodyOf<{ shredded_at: string }>(ask(second, path));
    expect(shredded.shredded_at).toMatch(/Z$/);
    expect(await bodyOf(ask(admin, path))).toEqual(shredded);
  });
});

describe('DELETE /tenant', () => {
  it('wants the tenant as confirmation', async () => {
    for (const json of [{}, { confirm: 'yes' }])
      expect(codeOf(await ask(admin, 'DELETE /tenant', json))).toBe('VALIDATION_ERROR');
  });

  it('destroys the tenant’s key when its time has come, and the sweep deletes all that it held', async () => {
    const tenant = 'org-leaving';
    const owner = await signedIn(tenant, 'event_admin');
    const venues = [await createFilled(owner, tenant), await createFilled(owner, tenant)];
    const own = (await useCollection(env, tenant, 'staff'))!;
    await addVectors(env, own, MODEL, [{ faceId: uuidv7(), shard: 0, subject: null, embedding: EMBEDDING }]);
    const left = await ask(owner, 'DELETE /tenant', { confirm: tenant });
    expect(left).toMatchObject({ status: 202, body: { tenant, events: 2 } });
    await db().update(departures).set({ leaveAt: Date.now() }).where(eq(departures.tenant, tenant));
    await sweep();
    for (const { eventId } of venues) {
      expect(await keys().open(eventScope({ tenant, id: eventId }))).toBeNull();
      expect((await ask(owner, `GET /events/${eventId}`)).status).toBe(404);
    }
    expect(await keys().open(own.scope)).toBeNull();
    const back = await createFilled(owner, tenant);
    await sweep();
    for (const venue of venues) await expectShredded(tenant, venue);
    expect(await useCollection(env, tenant, 'staff')).not.toMatchObject({ collection: { id: own.collection.id } });
    const [departure] = await db().select().from(departures).where(eq(departures.tenant, tenant));
    expect(departure?.finishedAt).not.toBeNull();
    await sweep();
    expect(await bodyOf(ask(owner, `GET /attendees/${back.eventId}`))).toMatchObject({ attendees: [{ name: 'Ada' }] });
  });
});
