import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { uuidv7 } from 'uuidv7';
import { beforeAll, describe, expect, it } from 'vitest';
import { eraseAttendee } from '../../../../application/events/attendees/erase-attendee.ts';
import { addVectors, galleryStatus, searchVectors } from '../../../../application/events/collections/gallery-shards.ts';
import {
  type OpenCollection,
  openEventCollection,
} from '../../../../application/events/collections/open-collection.ts';
import { eventsDatabase } from '../../../../data/events/database.ts';
import { sealFrameResult } from '../../../../data/events/images/frame-result.ts';
import { imagePath, putImage } from '../../../../data/events/images/sealed-images.ts';
import { attendeeAliases, faces, frames, photos, timeline } from '../../../../data/events/schema.ts';
import type { CameraType } from '../../../../domain/events/camera-type.ts';
import { codeOf } from '../../fixtures/call.ts';
import { callWorker } from '../../fixtures/call-worker.ts';
import type { SignedIn } from '../../fixtures/sign-in.ts';
import { ask, bodyOf, createAttendee, createVenue, signedIn, startEventsService, type Venue } from './fixtures.ts';
import { interruptedAfter } from './interrupted-after.ts';
import { recordSightings } from './record-sightings.ts';

const TENANT = 'org-erasure';
const START = Date.parse('2026-06-01T10:00:00Z');
const MODEL = { name: 'test', version: '1', dimensions: 4 };
const QUALITY = { blur: 0.1, yaw: 0, pitch: 0, face_size: 120 };
const BOX: [number, number, number, number] = [1, 2, 101, 122];
const JPEG = Uint8Array.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3]);

let admin: SignedIn;
let second: SignedIn;

beforeAll(async () => {
  await startEventsService();
  admin = await signedIn(TENANT, 'event_admin');
  second = await signedIn(TENANT, 'event_admin');
});

/** Two people ask for it. */
async function erase(path: string): Promise<void> {
  expect((await ask(admin, `DELETE ${path}`)).status).toBe(202);
  expect((await ask(second, `DELETE ${path}`)).status).toBe(204);
}

const db = () => eventsDatabase(env.EVENTS_DB);

interface Person {
  readonly id: string;
  readonly embedding: Float32Array;
}

interface Fair extends Venue {
  readonly open: OpenCollection;
  readonly ada: Person;
  readonly grace: Person;
}

/** An attendee with a photograph of one face, as a registration leaves them. */
async function register(venue: Venue, open: OpenCollection, name: string, embedding: number[]): Promise<Person> {
  const id = await createAttendee(venue, TENANT, name);
  const attendeeTag = await venue.key.tag('attendee', id);
  const photo = { id: uuidv7(), tenant: TENANT, collectionId: open.collection.id, createdAt: START, attendeeTag };
  const path = imagePath(open.scope, 'photo', photo.id);
  await putImage(env.EVENT_IMAGES, venue.key, { path, kind: 'photo', id: photo.id }, JPEG);
  const face = {
    id: uuidv7(),
    tenant: TENANT,
    collectionId: open.collection.id,
    photoId: photo.id,
    shard: 0,
    attendeeTag,
    bbox: BOX,
    quality: QUALITY,
    confidence: 0.99,
    modelName: MODEL.name,
    modelVersion: MODEL.version,
    createdAt: START,
  };
  await db()
    .insert(photos)
    .values({ ...photo, objectKey: path, byteLength: JPEG.length, storedAt: START });
  await db().insert(faces).values(face);
  const vector = { faceId: face.id, shard: 0, subject: id, embedding: Float32Array.from(embedding) };
  await addVectors(env, open, MODEL, [vector]);
  return { id, embedding: vector.embedding };
}

/** A frame in which people were recognized, as ingestion leaves it. */
async function frameWith(fair: Fair, camera: CameraType, minutes: number, people: readonly Person[]): Promise<string> {
  const id = uuidv7();
  const capturedAt = START + minutes * 60_000;
  const path = imagePath(fair.open.scope, 'frame', id);
  await putImage(env.EVENT_IMAGES, fair.key, { path, kind: 'frame', id }, JPEG);
  const result = {
    faces: people.map((person, at) => ({
      face: { id: `${id}-${at}`, bbox: BOX, confidence: 0.9, quality: QUALITY, embedding_stored: false },
      match: { attendee_id: person.id, face_id: 'f', similarity: 0.8 },
    })),
  };
  await db()
    .insert(frames)
    .values({
      id,
      tenant: TENANT,
      eventId: fair.eventId,
      roomId: fair.roomId,
      cameraId: fair.cameras[camera].id,
      capturedAt,
      imageTag: id,
      objectKey: path,
      facesDetected: people.length,
      matched: people.length,
      unknown: 0,
      sealedResult: await sealFrameResult(fair.key, id, result),
      receivedAt: capturedAt,
    });
  const sightings = people.map((person) => ({
    attendeeId: person.id,
    faceId: 'f',
    similarity: 0.8,
    capturedAt,
    frameId: id,
  }));
  await recordSightings(db(), fair.key, fair.cameras[camera], sightings);
  return path;
}

async function createFair(): Promise<Fair> {
  const venue = await createVenue(admin, TENANT, { capacity: 1 });
  const open = (await openEventCollection(env, TENANT, venue.eventId))!;
  const ada = await register(venue, open, 'Ada', [1, 0, 0, 0]);
  const grace = await register(venue, open, 'Grace', [0, 1, 0, 0]);
  return { ...venue, open, ada, grace };
}

const pathOf = ({ eventId }: Fair, { id }: Person) => `/attendees/${eventId}/${id}`;

describe('the export of an attendee', () => {
  it('holds profile, consent, invites, photos, faces without vectors, timeline, frames and corrections', async () => {
    const fair = await createFair();
    const { ada, eventId } = fair;
    await ask(admin, `POST /events/${eventId}/invites`, { attendee_id: ada.id, status: 'accepted' });
    await frameWith(fair, 'entry', 0, [ada, fair.grace]);
    const at = '2026-06-01T11:00:00Z';
    const manual = {
      event_id: eventId,
      room_id: fair.roomId,
      type: 'exited',
      attendee_id: ada.id,
      at,
      reason: 'side door',
    };
    await ask(admin, 'POST /timeline', manual);
    const exported = await bodyOf<{ photos: { url: string }[] }>(ask(admin, `GET ${pathOf(fair, ada)}/export`));
    expect(exported).toMatchObject({
      attendee: { id: ada.id, name: 'Ada', consent: { text: expect.any(String) } },
      invites: [{ status: 'accepted' }],
      photos: [{ byte_length: JPEG.length }],
      faces: [{ bbox: BOX, quality: QUALITY, embedding: { model: 'test', version: '1' } }],
      timeline: [{ type: 'entered' }, { type: 'exited', source: 'manual' }],
      frames: [{ camera_id: fair.cameras.entry.id, bbox: BOX, similarity: 0.8 }],
      corrections: [{ kind: 'manual_entry', reason: 'side door' }],
    });
    expect(JSON.stringify(exported)).not.toContain('Grace');
    const photo = await callWorker(`http://localhost${exported.photos[0]!.url}`, { headers: admin.bearer });
    expect([photo.status, photo.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    expect(new Uint8Array(await photo.arrayBuffer())).toEqual(JPEG);
    expect(
      (await ask(admin, `GET ${pathOf(fair, fair.grace)}/photos/${exported.photos[0]!.url.split('/').at(-1)}`)).status,
    ).toBe(404);
  });
});

describe('the erasure of an attendee', () => {
  it('deletes profile, invites, faces, photos, images of frames and what names them; the others stay', async () => {
    const fair = await createFair();
    const { ada, grace, eventId, open } = fair;
    await ask(admin, `POST /events/${eventId}/invites`, { attendee_id: ada.id });
    const together = await frameWith(fair, 'entry', 0, [ada, grace]);
    const alone = await frameWith(fair, 'entry', 10, [grace]);
    const { entries } = await bodyOf<{ entries: { id: string; name: string }[] }>(
      ask(admin, `GET /timeline?event_id=${eventId}`),
    );
    const entry = entries.find(({ name }) => name === 'Ada')!;
    await bodyOf(ask(admin, `POST /timeline/${entry.id}/void`, { reason: 'not Ada' }));
    await bodyOf(ask(admin, `POST /timeline/${entry.id}/restore`, { reason: 'Ada after all' }));
    const stored = await db()
      .select()
      .from(photos)
      .where(eq(photos.collectionId, open.collection.id))
      .orderBy(photos.id);
    const photoPaths = stored.map(({ objectKey }) => objectKey);

    await erase(pathOf(fair, ada));

    for (const target of [`GET ${pathOf(fair, ada)}`, `GET ${pathOf(fair, ada)}/export`, `DELETE ${pathOf(fair, ada)}`])
      expect((await ask(admin, target)).status, target).toBe(404);
    const read = await Promise.all(
      [
        `/attendees/${eventId}`,
        `/events/${eventId}/invites`,
        `/timeline?event_id=${eventId}`,
        `/events/${eventId}/corrections`,
      ].map(async (path) => JSON.stringify(await bodyOf(ask(admin, `GET ${path}`)))),
    );
    expect(read.join()).not.toMatch(new RegExp(`Ada|${ada.id}`));
    expect(read.join()).toContain('Grace');
    const found = await searchVectors(env, open, MODEL, [{ embedding: ada.embedding, topK: 5, threshold: 0.5 }]);
    expect(found).toEqual({ type: 'found', matches: [[]] });
    expect(await galleryStatus(env, open)).toMatchObject([{ size: 1 }]);
    expect(await Promise.all(photoPaths.map(async (path) => (await env.EVENT_IMAGES.head(path)) !== null))).toEqual([
      false,
      true,
    ]);
    expect([await env.EVENT_IMAGES.head(together), await env.EVENT_IMAGES.head(alone)]).toEqual([
      null,
      expect.anything(),
    ]);
    const graces = await bodyOf(ask(admin, `GET ${pathOf(fair, grace)}/export`));
    expect(graces).toMatchObject({ frames: [{}, {}], timeline: [{}, {}] });
    await expectNoTrace(fair, ada);
  });

  it('leaves occupancy, peak and alerts as they were', async () => {
    const fair = await createFair();
    const { ada, grace, eventId } = fair;
    await frameWith(fair, 'entry', 0, [ada]);
    await frameWith(fair, 'entry', 5, [grace]);
    await frameWith(fair, 'exit', 10, [ada]);
    await frameWith(fair, 'entry', 20, [ada]);
    const counts = () =>
      Promise.all(['occupancy', 'alerts'].map((what) => bodyOf(ask(admin, `GET /events/${eventId}/${what}`))));
    const before = await counts();
    expect(before).toMatchObject([{ rooms: [{ current: 2, entries: 3, exits: 1 }] }, { alerts: [{}, {}] }]);
    await erase(pathOf(fair, ada));
    expect(await counts()).toEqual(before);
    const { entries } = await bodyOf<{ entries: object[] }>(ask(admin, `GET /timeline?event_id=${eventId}`));
    expect(entries).toMatchObject([null, grace.id, null, null].map((attendee_id) => ({ attendee_id })));
  });

  it('covers who was merged into them, and nobody is recognized as either again', async () => {
    const fair = await createFair();
    const { ada, grace, eventId } = fair;
    const path = await frameWith(fair, 'entry', 0, [ada]);
    await bodyOf(ask(admin, `POST ${pathOf(fair, ada)}/merge`, { into: grace.id, reason: 'the same' }));
    await erase(pathOf(fair, grace));
    expect(await env.EVENT_IMAGES.head(path)).toBeNull();
    for (const person of [ada, grace]) {
      const sighting = {
        attendeeId: person.id,
        faceId: 'f',
        similarity: 0.9,
        capturedAt: START + 600_000,
        frameId: 'late',
      };
      await recordSightings(db(), fair.key, fair.cameras.entry, [sighting]);
      await expectNoTrace(fair, person);
    }
    const { entries } = await bodyOf<{ entries: object[] }>(ask(admin, `GET /timeline?event_id=${eventId}`));
    expect(entries).toMatchObject([{ attendee_id: null }]);
    expect(await galleryStatus(env, fair.open)).toMatchObject([{ size: 0 }]);
  });

  it('goes on where it was interrupted, at whatever step', async () => {
    const fair = await createFair();
    const { ada, grace, open } = fair;
    const path = await frameWith(fair, 'entry', 0, [ada, grace]);
    const [entry] = (
      await bodyOf<{ entries: { id: string }[] }>(
        ask(admin, `GET /timeline?event_id=${fair.eventId}&attendee_id=${ada.id}`),
      )
    ).entries;
    await bodyOf(ask(admin, `POST /timeline/${entry!.id}/void`, { reason: 'not Ada' }));
    let calls = 0;
    for (let done = false; !done; calls++) {
      done = await eraseAttendee(interruptedAfter(calls), open, ada.id).then(
        () => true,
        (error: Error) => {
          expect(String(error.cause ?? error)).toContain('interrupted');
          return false;
        },
      );
    }
    expect(calls).toBeGreaterThan(10);
    await expectNoTrace(fair, ada);
    expect(await env.EVENT_IMAGES.head(path)).toBeNull();
    expect(await galleryStatus(env, open)).toMatchObject([{ size: 1 }]);
    const { corrections } = await bodyOf<{ corrections: object[] }>(
      ask(admin, `GET /events/${fair.eventId}/corrections`),
    );
    expect(corrections).toMatchObject([{ kind: 'not_this_person', reason: null, change: null }]);
  });

  it('is for those who may erase', async () => {
    const fair = await createFair();
    const operator = await signedIn(TENANT, 'event_operator');
    expect(codeOf(await ask(operator, `DELETE ${pathOf(fair, fair.ada)}`))).toBe('FORBIDDEN');
    expect((await ask(admin, `GET ${pathOf(fair, fair.ada)}`)).status).toBe(200);
  });
});

/** Nothing in the database leads to them, not even for whoever holds the key. */
async function expectNoTrace({ key, eventId, open }: Fair, { id }: Person): Promise<void> {
  const tag = await key.tag('attendee', id);
  const entries = await db().select().from(timeline).where(eq(timeline.eventId, eventId));
  expect(entries.filter(({ attendeeTag }) => attendeeTag === tag)).toEqual([]);
  const plain = await Promise.all(entries.map((entry) => key.open(entry.sealedIdentity, ['identity', entry.id])));
  expect(plain.map((bytes) => (bytes === null ? '' : new TextDecoder().decode(bytes))).join()).not.toContain(id);
  const results = await db().select().from(frames).where(eq(frames.eventId, eventId));
  const said = await Promise.all(results.map((row) => key.open(row.sealedResult, ['frame_result', row.id])));
  expect(said.map((bytes) => new TextDecoder().decode(bytes ?? undefined)).join()).not.toContain(id);
  for (const table of [faces, photos]) {
    const rows = await db().select().from(table).where(eq(table.collectionId, open.collection.id));
    expect(rows.filter(({ attendeeTag }) => attendeeTag === tag)).toEqual([]);
  }
  expect(await db().select().from(attendeeAliases).where(eq(attendeeAliases.eventId, eventId))).toEqual([]);
}
