import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { sweepEvents } from '../../../../application/events/sweep-events.ts';
import { eventsDatabase } from '../../../../data/events/database.ts';
import { collections } from '../../../../data/events/schema.ts';
import type { DetectedFace } from '../../../../protocol/events/detected-face.ts';
import { type Answer, codeOf } from '../../fixtures/call.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { type Staff, staffOf, venueOf } from './staff.ts';
import { faceOf, imageOf } from './test-image.ts';

interface Uploaded {
  readonly faces: readonly DetectedFace[];
  readonly image_id: string;
  readonly faces_detected: number;
  readonly faces_stored: number;
}
interface Searched {
  readonly query_face: { bbox: number[]; confidence: number } | null;
  readonly matches: readonly {
    readonly face_id: string;
    readonly similarity: number;
    readonly metadata: { readonly name: string | null; readonly attendee_id: string | null };
  }[];
}

let staff: Staff;
let stranger: Staff;

beforeAll(async () => {
  const db = await migrate();
  staff = await staffOf(db, 'org-faces');
  stranger = await staffOf(db, 'org-other-faces');
});

let made = 0;
const freshName = () => `collection-${made++}`;
const detailsOf = ({ body }: Answer) => (body as { error: { details: Record<string, unknown> } }).error.details;

async function upload(image: File, collection: string, headers = {}, by = staff): Promise<Uploaded> {
  const answer = await by.send('POST /v1/faces', { image, collection }, headers);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body as Uploaded;
}

async function search(fields: Record<string, string | File>, by = staff): Promise<Searched> {
  const answer = await by.send('POST /v1/search', fields);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body as Searched;
}

async function storedIn(collection: string): Promise<string[]> {
  const { body } = await staff.ask(`GET /v1/collections/${collection}/faces`);
  return (body as { faces: { id: string }[] }).faces.map(({ id }) => id);
}

async function imagesStored(): Promise<number> {
  return (await env.EVENT_IMAGES.list()).objects.length;
}

describe('POST /v1/faces', () => {
  it('answers every face of the photo, and stores those that pass the quality rules', async () => {
    const collection = freshName();
    const blurred = faceOf('bo', 1, { quality: { blur: 0.69 } });
    const small = faceOf('cy', 2, { bbox: [400, 20, 460, 80] });
    const turned = faceOf('di', 3, { quality: { yaw: -41.5 } });
    const answer = await upload(imageOf({ faces: [faceOf('ana'), blurred, small, turned] }), collection);
    expect(answer).toMatchObject({ faces_detected: 4, faces_stored: 1 });
    expect(answer.image_id).toMatch(/^[0-9a-f-]{36}$/);
    expect(answer.faces[0]).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      bbox: [10, 20, 130, 140],
      confidence: 0.98,
      quality: { blur: 0.1, yaw: 2, pitch: -1, face_size: 120 },
      embedding_stored: true,
    });
    expect(answer.faces.map(({ rejection_reason }) => rejection_reason)).toEqual([
      undefined,
      'blur 0.69 is above 0.5',
      'yaw -41.5 degrees is beyond 30 degrees',
      'face_size 60 px is below 80 px',
    ]);
    expect(await storedIn(collection)).toEqual([answer.faces[0]?.id]);
  });

  it('stores nothing of a photo without a face that passes', async () => {
    const before = await imagesStored();
    const blurred = faceOf('bo', 0, { quality: { blur: 0.9 } });
    expect(await upload(imageOf({ faces: [blurred] }), freshName())).toMatchObject({
      faces_detected: 1,
      faces_stored: 0,
    });
    expect(await upload(imageOf({}), freshName())).toMatchObject({ faces: [], faces_detected: 0, faces_stored: 0 });
    expect(await imagesStored()).toBe(before);
  });

  it('keeps the photo sealed', async () => {
    const image = imageOf({ faces: [faceOf('secret person')] });
    const { image_id } = await upload(image, freshName());
    const { objects } = await env.EVENT_IMAGES.list();
    const kept = objects.find(({ key }) => key.endsWith(image_id));
    const stored = await env.EVENT_IMAGES.get(kept?.key ?? '');
    const bytes = await stored?.text();
    expect(bytes?.length).toBeGreaterThan(100);
    expect(bytes).not.toContain('secret person');
  });

  it('repeated under its Idempotency-Key stores its faces once', async () => {
    const collection = freshName();
    const image = imageOf({ faces: [faceOf('ana'), faceOf('bo', 1)] });
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const first = await upload(image, collection, headers);
    expect(await upload(image, collection, headers)).toEqual(first);
    expect(await storedIn(collection)).toHaveLength(2);
  });

  it('says what is wrong with an image', async () => {
    const send = (image: File) => staff.send('POST /v1/faces', { image, collection: 'images' });
    const broken = await send(new File(['no image'], 'photo.jpg', { type: 'image/jpeg' }));
    expect([codeOf(broken), detailsOf(broken).reason]).toEqual(['VALIDATION_ERROR', 'truncated']);
    const fault = { kind: 'code', code: 'UNSUPPORTED_MEDIA_TYPE' } as const;
    expect(codeOf(await send(imageOf({ fault })))).toBe('UNSUPPORTED_MEDIA_TYPE');
    expect(codeOf(await send(new File([], 'empty.png')))).toBe('VALIDATION_ERROR');
    const large = await send(new File([new Uint8Array(10 * 1_024 * 1_024 + 1)], 'large.png'));
    expect([large.status, codeOf(large)]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  });

  it('wants an image, a collection by a plain name, and multipart', async () => {
    const image = imageOf({});
    for (const fields of [{ image }, { collection: 'c' }, { image, collection: '~c' }, { image, collection: 'a/b' }])
      expect(codeOf(await staff.send('POST /v1/faces', fields as Record<string, string>))).toBe('VALIDATION_ERROR');
    expect((await staff.ask('POST /v1/faces', { json: { collection: 'c' } })).status).toBe(415);
  });

  it('makes no collection for an id that is no event’s', async () => {
    const answer = await staff.send('POST /v1/faces', { image: imageOf({}), collection: crypto.randomUUID() });
    expect(answer.status).toBe(404);
  });
});

describe('POST /v1/search', () => {
  it('answers the matches of the largest face, best first', async () => {
    const collection = freshName();
    const { faces } = await upload(imageOf({ faces: [faceOf('ana'), faceOf('bo', 1)] }), collection);
    const again = await upload(imageOf({ faces: [faceOf('ana', 0, { unlike: 0.2 })] }), collection);
    const background = faceOf('bo', 3, { bbox: [500, 0, 590, 90] });
    const found = await search({ image: imageOf({ faces: [background, faceOf('ana', 0)] }), collection });
    expect(found.query_face).toEqual({ bbox: [10, 20, 130, 140], confidence: 0.98 });
    expect(found.matches.map(({ face_id }) => face_id)).toEqual([faces[0]?.id, again.faces[0]?.id]);
    expect(found.matches[0]?.similarity).toBeCloseTo(1, 5);
    expect(found.matches[1]?.similarity).toBeGreaterThan(0.6);
    expect(found.matches[0]?.metadata).toEqual({ name: null, attendee_id: null });
  });

  it('answers no more than top_k, and none below the threshold', async () => {
    const collection = freshName();
    for (const unlike of [0, 0.1, 0.2]) await upload(imageOf({ faces: [faceOf('ana', 0, { unlike })] }), collection);
    const image = imageOf({ faces: [faceOf('ana')] });
    expect((await search({ image, collection, top_k: '2' })).matches).toHaveLength(2);
    expect((await search({ image, collection, threshold: '0.999' })).matches).toHaveLength(1);
    expect((await search({ image, collection, threshold: '-1' })).matches).toHaveLength(3);
    for (const wrong of [{ top_k: '0' }, { top_k: '101' }, { top_k: 'x' }, { threshold: '1.1' }, { threshold: '' }])
      expect(codeOf(await staff.send('POST /v1/search', { image, collection, ...wrong }))).toBe('VALIDATION_ERROR');
  });

  it('answers no match for somebody unknown', async () => {
    const collection = freshName();
    await upload(imageOf({ faces: [faceOf('ana')] }), collection);
    const found = await search({ image: imageOf({ faces: [faceOf('nobody we know')] }), collection });
    expect(found.matches).toEqual([]);
  });

  it('refuses an image without a face', async () => {
    const collection = freshName();
    await upload(imageOf({ faces: [faceOf('ana')] }), collection);
    const answer = await staff.send('POST /v1/search', { image: imageOf({}), collection });
    expect([codeOf(answer), detailsOf(answer).reason]).toEqual(['VALIDATION_ERROR', 'no_face']);
  });

  it('takes a raw vector in place of an image', async () => {
    const collection = freshName();
    const { faces } = await upload(imageOf({ faces: [faceOf('ana')] }), collection);
    const anything = JSON.stringify(Array.from({ length: 128 }, (_, at) => (at === 0 ? 3 : 0)));
    const found = await search({ embedding: anything, collection, threshold: '-1' });
    expect(found.query_face).toBeNull();
    expect(found.matches.map(({ face_id }) => face_id)).toEqual([faces[0]?.id]);
  });

  it('refuses a vector of another width, of another model, or without a direction', async () => {
    const collection = freshName();
    await upload(imageOf({ faces: [faceOf('ana')] }), collection);
    const ask = (values: readonly unknown[], more = {}) =>
      staff.send('POST /v1/search', { embedding: JSON.stringify(values), collection, ...more });
    const one = Array.from({ length: 128 }, () => 1);
    const narrow = await ask([1, 2, 3]);
    expect([codeOf(narrow), detailsOf(narrow).reason]).toEqual(['VALIDATION_ERROR', 'embedding_width']);
    expect(codeOf(await ask(one.map(() => 0)))).toBe('VALIDATION_ERROR');
    expect(codeOf(await ask(['a']))).toBe('VALIDATION_ERROR');
    expect(codeOf(await ask(one, { model: 'another' }))).toBe('CONFLICT');
    expect(codeOf(await ask(one, { model: 'stand-in', model_version: '0' }))).toBe('CONFLICT');
    expect((await ask(one, { model: 'stand-in', model_version: '1' })).status).toBe(200);
    const both = { image: imageOf({ faces: [faceOf('ana')] }) };
    expect(codeOf(await ask(one, both))).toBe('VALIDATION_ERROR');
  });

  it('knows no collection that was never made', async () => {
    const answer = await staff.send('POST /v1/search', { image: imageOf({}), collection: 'never-made' });
    expect([answer.status, codeOf(answer)]).toEqual([404, 'NOT_FOUND']);
  });

  it('finds a face no more once it is deleted', async () => {
    const collection = freshName();
    const before = await imagesStored();
    const { faces } = await upload(imageOf({ faces: [faceOf('ana'), faceOf('bo', 1)] }), collection);
    const image = imageOf({ faces: [faceOf('ana')] });
    expect((await staff.ask(`DELETE /v1/faces/${faces[0]?.id}`)).status).toBe(204);
    expect((await search({ image, collection })).matches).toEqual([]);
    expect((await staff.ask(`DELETE /v1/faces/${faces[0]?.id}`)).status).toBe(404);
    expect(await imagesStored()).toBe(before + 1);
    expect((await staff.ask(`DELETE /v1/faces/${faces[1]?.id}`)).status).toBe(204);
    expect(await imagesStored()).toBe(before);
  });
});

describe('a collection', () => {
  it('is listed with how many faces it holds', async () => {
    const name = freshName();
    await upload(imageOf({ faces: [faceOf('ana'), faceOf('bo', 1)] }), name);
    const { body } = await staff.ask('GET /v1/collections');
    const listed = (body as { collections: { name: string }[] }).collections.find((one) => one.name === name);
    expect(listed).toEqual({ name, event_id: null, faces: 2, created_at: expect.any(String) });
  });

  it('is found by nobody once it is deleted, goes with its faces and photos when its retention is over, and may be made again empty', async () => {
    const name = freshName();
    const before = await imagesStored();
    const image = imageOf({ faces: [faceOf('ana')] });
    await upload(image, name);
    expect((await staff.ask(`DELETE /v1/collections/${name}`)).status).toBe(204);
    expect((await staff.send('POST /v1/search', { image, collection: name })).status).toBe(404);
    await eventsDatabase(env.EVENTS_DB)
      .update(collections)
      .set({ shredAt: 1 })
      .where(eq(collections.deletedName, name));
    await sweepEvents(env);
    expect(await imagesStored()).toBe(before);
    await upload(imageOf({ faces: [faceOf('bo')] }), name);
    expect((await search({ image, collection: name })).matches).toEqual([]);
  });

  it('of an event has the event’s id as its name, and goes with the event alone', async () => {
    const { eventId } = await venueOf(staff);
    const { faces } = await upload(imageOf({ faces: [faceOf('ana')] }), eventId);
    const found = await search({ image: imageOf({ faces: [faceOf('ana')] }), collection: eventId });
    expect(found.matches.map(({ face_id }) => face_id)).toEqual([faces[0]?.id]);
    expect(codeOf(await staff.ask(`DELETE /v1/collections/${eventId}`))).toBe('CONFLICT');
  });
});

describe('an event’s id in capitals', () => {
  it('is the event’s own collection at every door, and makes none of its own', async () => {
    const { eventId } = await venueOf(staff);
    const capitals = eventId.toUpperCase();
    const { faces } = await upload(imageOf({ faces: [faceOf('ana')] }), capitals);
    expect(await storedIn(eventId)).toEqual([faces[0]?.id]);
    expect(await storedIn(capitals)).toEqual([faces[0]?.id]);
    expect((await search({ image: imageOf({ faces: [faceOf('ana')] }), collection: capitals })).matches).toHaveLength(
      1,
    );
    expect((await staff.ask(`DELETE /v1/collections/${capitals}`)).status).toBe(409);
    const trail = (await staff.ask(`GET /trail?event_id=${eventId}`)).body as { entries: { object: string }[] };
    expect(trail.entries.map(({ object }) => object)).toEqual([eventId, eventId, eventId, eventId]);
    const unknown = await staff.send('POST /v1/faces', {
      image: imageOf({}),
      collection: crypto.randomUUID().toUpperCase(),
    });
    expect(codeOf(unknown)).toBe('NOT_FOUND');
  });

  it('still deletes a collection that was made under it before', async () => {
    const name = crypto.randomUUID().toUpperCase();
    const id = crypto.randomUUID();
    const { tenant } = (await eventsDatabase(env.EVENTS_DB).select().from(collections).limit(1))[0] ?? { tenant: '' };
    await eventsDatabase(env.EVENTS_DB).insert(collections).values({ id, tenant, name, createdAt: Date.now() });
    expect((await staff.ask(`DELETE /v1/collections/${name}`)).status).toBe(204);
  });
});

describe('another tenant', () => {
  it('reaches no collection, event or face, and has names of its own', async () => {
    const name = freshName();
    const { eventId } = await venueOf(staff);
    const image = imageOf({ faces: [faceOf('ana')] });
    const { faces } = await upload(image, name);
    await upload(imageOf({ faces: [faceOf('ana')] }), eventId);
    for (const collection of [name, eventId])
      expect((await stranger.send('POST /v1/search', { image, collection })).status).toBe(404);
    expect((await stranger.send('POST /v1/faces', { image, collection: eventId })).status).toBe(404);
    expect((await stranger.ask(`GET /v1/collections/${eventId}/faces`)).status).toBe(404);
    expect((await stranger.ask(`DELETE /v1/faces/${faces[0]?.id}`)).status).toBe(404);
    expect((await stranger.ask(`DELETE /v1/collections/${name}`)).status).toBe(404);
    expect((await stranger.ask('GET /v1/collections')).body).toEqual({ collections: [] });
    await upload(imageOf({ faces: [faceOf('bo')] }), name, {}, stranger);
    expect((await search({ image, collection: name }, stranger)).matches).toEqual([]);
    expect((await search({ image, collection: name })).matches).toHaveLength(1);
  });
});
