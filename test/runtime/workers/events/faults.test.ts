import { abortAllDurableObjects, createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { galleryStatus } from '../../../../application/events/collections/gallery-shards.ts';
import { openCollection } from '../../../../application/events/collections/open-collection.ts';
import { sweepEvents } from '../../../../application/events/sweep-events.ts';
import type { Database } from '../../../../data/database.ts';
import { eventsDatabase } from '../../../../data/events/database.ts';
import {
  attendees,
  collections,
  enhancementJobs,
  faces,
  frames,
  photos,
  timeline,
} from '../../../../data/events/schema.ts';
import { migrate } from '../../fixtures/migrate.ts';
import worker from '../../main.ts';
import { type Dying, dyingAt } from './dying-env.ts';
import { type FormFields, type Staff, staffOf, type Venue, venueOf } from './staff.ts';
import { faceOf, imageOf } from './test-image.ts';

let database: Database;
let staff: Staff;
let venue: Venue;
const MOMENTS = ['before', 'after'] as const;
/** More than any of these requests makes. */
const CALLS_MAX = 60;

beforeAll(async () => {
  database = await migrate();
  venue = await venueOf(await staffOf(database, 'org-faults'));
});

/** Somebody else each time: a test makes as many requests as one may in a minute. */
beforeEach(async () => {
  staff = await staffOf(database, 'org-faults');
});

const db = () => eventsDatabase(env.EVENTS_DB);

/** Sends a form to a Worker that dies on the way. */
async function sendTo(dying: Dying, target: string, fields: FormFields, key: string): Promise<number> {
  const form = new FormData();
  for (const [name, values] of Object.entries(fields))
    for (const value of [values].flat()) form.append(name, value as string);
  const headers = { ...staff.bearer, 'idempotency-key': key, 'cf-connecting-ip': '10.9.9.9' };
  const request = new Request(`http://localhost/events-service${target}`, { method: 'POST', body: form, headers });
  const response = await worker.fetch?.(
    request as Parameters<NonNullable<typeof worker.fetch>>[0],
    dying.env,
    createExecutionContext(),
  );
  return response?.status ?? 0;
}

/** The same without a body. */
async function askOf(dying: Dying, method: string, target: string): Promise<number> {
  const headers = { ...staff.bearer, 'cf-connecting-ip': '10.9.9.9' };
  const request = new Request(`http://localhost/events-service${target}`, { method, headers });
  const wire = request as Parameters<NonNullable<typeof worker.fetch>>[0];
  return (await worker.fetch?.(wire, dying.env, createExecutionContext()))?.status ?? 0;
}

async function vectorsIn(collection: string): Promise<number> {
  const open = await openCollection(env, staff.owner, collection);
  if (open === null) return 0;
  return (await galleryStatus(env, open)).reduce((total, { size }) => total + size, 0);
}

interface Kept {
  readonly images: number;
  readonly photos: number;
  readonly faces: number;
  readonly attendees: number;
}

async function kept(): Promise<Kept> {
  return {
    images: (await env.EVENT_IMAGES.list()).objects.length,
    photos: await db().$count(photos),
    faces: await db().$count(faces),
    attendees: await db().$count(attendees),
  };
}

const plus = (before: Kept, more: Partial<Kept>): Kept => ({
  images: before.images + (more.images ?? 0),
  photos: before.photos + (more.photos ?? 0),
  faces: before.faces + (more.faces ?? 0),
  attendees: before.attendees + (more.attendees ?? 0),
});

/** Has every request that is not done taken for one that died long ago. */
async function sweepLater(): Promise<void> {
  await db().update(photos).set({ createdAt: 1 });
  await sweepEvents(env);
}

describe.each(MOMENTS)('a Worker killed at any of its calls to storage, %s the effect', (moment) => {
  it('while it stores an upload: repeated it stores all of it once', async () => {
    for (let call = 0; call < CALLS_MAX; call++) {
      const collection = `repeated-${moment}-${call}`;
      const fields = { image: imageOf({ faces: [faceOf('ana'), faceOf('bo', 1)] }), collection };
      const before = await kept();
      const dying = dyingAt(call, moment);
      const key = crypto.randomUUID();
      const status = await sendTo(dying, '/v1/faces', fields, key);
      const again = await staff.send('POST /v1/faces', fields, { 'idempotency-key': key });
      expect([again.status, again.body], `call ${call}`).toMatchObject([200, { faces_stored: 2 }]);
      expect(await kept(), `call ${call}`).toEqual(plus(before, { images: 1, photos: 1, faces: 2 }));
      expect(await vectorsIn(collection), `call ${call}`).toBe(2);
      if (!dying.died()) return expect([status, call > 5]).toEqual([200, true]);
    }
    throw new Error('it never got through');
  });

  it('while it stores an upload that is not repeated: nothing of it is seen, and nothing stays', async () => {
    for (let call = 0; call < CALLS_MAX; call++) {
      const collection = `abandoned-${moment}-${call}`;
      const image = imageOf({ faces: [faceOf('ana')] });
      const before = await kept();
      const dying = dyingAt(call, moment);
      const status = await sendTo(dying, '/v1/faces', { image, collection }, crypto.randomUUID());
      if (!dying.died()) return expect(status).toBe(200);
      const { body } = await staff.send('POST /v1/search', { image, collection });
      const seen = (body as { matches?: unknown[] }).matches?.length ?? 0;
      await sweepLater();
      // After the last effect of all, only the answer was lost.
      expect(await kept(), `call ${call}`).toEqual(
        seen > 0 ? plus(before, { images: 1, photos: 1, faces: 1 }) : before,
      );
      expect(await vectorsIn(collection), `call ${call}`).toBe(seen);
    }
    throw new Error('it never got through');
  });

  it('while it registers an attendee: repeated it is one attendee, not repeated it is none', async () => {
    for (let call = 0; call < CALLS_MAX; call++) {
      const before = await kept();
      const vectors = await vectorsIn(venue.eventId);
      const fields = {
        name: 'Ana',
        email: `${moment}-${call}@example.com`,
        photo: [imageOf({ faces: [faceOf('ana')] }), imageOf({ faces: [faceOf('ana', 0, { unlike: 0.1 })] })],
        consent: 'true',
        consent_text: 'I agree.',
      };
      const key = crypto.randomUUID();
      const dying = dyingAt(call, moment);
      const status = await sendTo(dying, `/register-attendee/${venue.eventId}`, fields, key);
      const isThere = (await kept()).attendees > before.attendees;
      if (call % 2 === 0) await sweepLater();
      if (call % 2 === 0 && !isThere) {
        expect(await kept(), `call ${call}`).toEqual(before);
        expect(await vectorsIn(venue.eventId), `call ${call}`).toBe(vectors);
      }
      const again = await staff.send(`POST /register-attendee/${venue.eventId}`, fields, { 'idempotency-key': key });
      expect(again.status, `call ${call} ${JSON.stringify(again.body)}`).toBe(201);
      expect(await kept(), `call ${call}`).toEqual(plus(before, { images: 2, photos: 2, faces: 2, attendees: 1 }));
      expect(await vectorsIn(venue.eventId), `call ${call}`).toBe(vectors + 2);
      if (!dying.died()) return expect(status).toBe(201);
    }
    throw new Error('it never got through');
  });

  it('while it takes a frame: sent again it is one frame, and one entry', async () => {
    const { eventId, cameraId } = await venueOf(staff);
    await staff.send(`POST /register-attendee/${eventId}`, {
      name: 'Cleo',
      email: 'cleo@example.com',
      photo: imageOf({ faces: [faceOf('cleo')] }),
      consent: 'true',
      consent_text: 'I agree.',
    });
    for (let call = 0; call < CALLS_MAX; call++) {
      const before = [await db().$count(frames), await db().$count(timeline)] as const;
      const image = imageOf({ faces: [faceOf('cleo')] });
      // Further apart than the window of presence.
      const captured_at = new Date(Date.now() - call * 120_000).toISOString();
      const dying = dyingAt(call, moment);
      const status = await sendTo(dying, `/cameras/${cameraId}/frames`, { image, captured_at }, 'unused');
      const again = await staff.send(`POST /cameras/${cameraId}/frames`, { image, captured_at });
      expect([again.status, again.body], `call ${call}`).toMatchObject([200, { entries: [{ name: 'Cleo' }] }]);
      const after = [await db().$count(frames), await db().$count(timeline)];
      expect(after, `call ${call}`).toEqual([before[0] + 1, before[1] + 1]);
      if (!dying.died()) return expect(status).toBe(200);
    }
    throw new Error('it never got through');
  });

  it('while it deletes a face: repeated and swept, face, vector and photo are gone', async () => {
    for (let call = 0; call < CALLS_MAX; call++) {
      const before = await kept();
      const fields = { image: imageOf({ faces: [faceOf('eve')] }), collection: 'deleted-faces' };
      const { body } = await staff.send('POST /v1/faces', fields);
      const target = `/v1/faces/${(body as { faces: { id: string }[] }).faces[0]?.id}`;
      const dying = dyingAt(call, moment);
      const status = await askOf(dying, 'DELETE', target);
      expect([204, 404], `call ${call}`).toContain((await staff.ask(`DELETE ${target}`)).status);
      await sweepLater();
      expect(await kept(), `call ${call}`).toEqual(before);
      expect(await vectorsIn('deleted-faces'), `call ${call}`).toBe(0);
      if (!dying.died()) return expect(status).toBe(204);
    }
    throw new Error('it never got through');
  });

  it('while it deletes a collection: nothing is found in it again, and nothing of it stays', async () => {
    for (let call = 0; call < CALLS_MAX; call++) {
      const before = await kept();
      const collection = `deleted-${moment}-${call}`;
      const image = imageOf({ faces: [faceOf('fay')] });
      await staff.send('POST /v1/faces', { image, collection });
      const dying = dyingAt(call, moment);
      const status = await askOf(dying, 'DELETE', `/v1/collections/${collection}`);
      const again = (await staff.ask(`DELETE /v1/collections/${collection}`)).status;
      expect([204, 404], `call ${call}`).toContain(again);
      await db().update(collections).set({ shredAt: 1 }).where(eq(collections.deletedName, collection));
      await sweepEvents(env);
      expect(await kept(), `call ${call}`).toEqual(before);
      expect((await staff.send('POST /v1/search', { image, collection })).status).toBe(404);
      if (!dying.died()) return expect(status).toBe(204);
    }
    throw new Error('it never got through');
  });

  it('while it takes in an enhancement: repeated it is one job that completes', async () => {
    for (let call = 0; call < CALLS_MAX; call++) {
      const before = await db().$count(enhancementJobs);
      const fields = { image: imageOf({}) };
      const key = crypto.randomUUID();
      const dying = dyingAt(call, moment);
      const status = await sendTo(dying, '/v1/enhance', fields, key);
      const again = await staff.send('POST /v1/enhance', fields, { 'idempotency-key': key });
      expect(again.status, `call ${call}`).toBe(202);
      expect(await db().$count(enhancementJobs), `call ${call}`).toBe(before + 1);
      const { job_id } = again.body as { job_id: string };
      for (let state = ''; state !== 'completed'; await scheduler.wait(10)) {
        state = ((await staff.ask(`GET /v1/enhance/${job_id}`)).body as { status: string }).status;
      }
      if (!dying.died()) return expect(status).toBe(202);
    }
    throw new Error('it never got through');
  });
});

describe('a gallery that is lost', () => {
  it('between two requests has forgotten nothing', async () => {
    const image = imageOf({ faces: [faceOf('dora')] });
    await staff.send('POST /v1/faces', { image, collection: 'lost' });
    await abortAllDurableObjects();
    const { body } = await staff.send('POST /v1/search', { image, collection: 'lost' });
    expect((body as { matches: unknown[] }).matches).toHaveLength(1);
  });

  it('while faces are being stored loses none and stores none twice', async () => {
    const uploads = Array.from({ length: 8 }, (_, at) => ({
      fields: { image: imageOf({ faces: [faceOf(`person ${at}`)], delay_ms: at * 15 }), collection: 'aborted' },
      headers: { 'idempotency-key': crypto.randomUUID() },
    }));
    const answers = uploads.map(({ fields, headers }) => staff.send('POST /v1/faces', fields, headers));
    for (let abort = 0; abort < 3; abort++) {
      await scheduler.wait(40);
      await abortAllDurableObjects();
    }
    await Promise.allSettled(answers);
    for (const { fields, headers } of uploads)
      expect((await staff.send('POST /v1/faces', fields, headers)).status).toBe(200);
    expect(await vectorsIn('aborted')).toBe(uploads.length);
    const { body } = await staff.ask('GET /v1/collections/aborted/faces');
    expect((body as { faces: unknown[] }).faces).toHaveLength(uploads.length);
  });
});
