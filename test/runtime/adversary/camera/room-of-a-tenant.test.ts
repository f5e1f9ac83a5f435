import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { eventsDatabase } from '../../../../data/events/database.ts';
import { giveUsageBack, takeUsage } from '../../../../data/events/quotas/tenant-usage.ts';
import { DAY_MS, MINUTE_MS } from '../../../../domain/calendar/durations.ts';
import { type QuotaResource, type QuotaWindow, TENANT_QUOTAS } from '../../../../domain/events/tenant-quotas.ts';
import { type Answer, codeOf } from '../../fixtures/call.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { type Staff, staffOf, type Venue, venueOf } from '../../workers/events/staff.ts';
import { faceOf, imageOf } from '../../workers/events/test-image.ts';

const OWNER = 'org-room';

let admin: Staff;
let camera: Staff;
let venue: Venue;
let other: Staff;
let otherVenue: Venue;

beforeAll(async () => {
  const db = await migrate();
  admin = await staffOf(db, OWNER);
  camera = await staffOf(db, OWNER, ['event_camera']);
  other = await staffOf(db, 'org-room-2');
  venue = await venueOf(admin);
  otherVenue = await venueOf(other);
  await admin.ask(`PUT /cameras/${venue.cameraId}/credentials/${camera.userId}`);
});

beforeEach(async () => {
  await env.EVENTS_DB.exec('DELETE FROM tenant_usage');
});

const maxOf = (resource: QuotaResource, window: QuotaWindow) =>
  TENANT_QUOTAS.find((quota) => quota.resource === resource && quota.window === window)?.amount_max ?? 0;

/** The tenant has used all of a quota but so much, for longer than the test takes. */
async function allBut(left: number, resource: QuotaResource, window: QuotaWindow): Promise<void> {
  await env.EVENTS_DB.prepare(
    'INSERT OR REPLACE INTO tenant_usage (tenant, resource, "window", starts_at, amount) VALUES (?1, ?2, ?3, ?4, ?5)',
  )
    .bind(OWNER, resource, window, Date.now() + DAY_MS, maxOf(resource, window) - left)
    .run();
}

async function used(): Promise<Record<string, number>> {
  const { body } = await admin.ask('GET /tenant/usage');
  const { usage } = body as { usage: { resource: string; window: string; used: number; max: number }[] };
  return Object.fromEntries(usage.map((each) => [`${each.resource} ${each.window}`, each.used]));
}

const now = () => new Date().toISOString();
const batchOf = (images: readonly File[], by = camera, { cameraId } = venue) =>
  by.send(`POST /cameras/${cameraId}/frames/batch`, { image: images, captured_at: images.map(now) });
const frameOf = (image: File) => camera.send(`POST /cameras/${venue.cameraId}/frames`, { image, captured_at: now() });
const framesStored = async () =>
  (await env.EVENTS_DB.prepare('SELECT count(*) AS total FROM frames WHERE tenant = ?1')
    .bind(OWNER)
    .first('total')) as number;
const examined = async (id: string) =>
  ((await (await fetch(`${env.INFERENCE_URL}/requests?image=${id}`)).json()) as unknown[]).length;

function expectFull(answer: Answer, resource: QuotaResource): void {
  expect([answer.status, codeOf(answer)]).toEqual([429, 'RATE_LIMIT_EXCEEDED']);
  expect(answer.body).toMatchObject({ error: { details: { reason: 'quota', resource } } });
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
}

describe('I-16: frames of a tenant', () => {
  it('count one by one, those of a batch too, with their bytes', async () => {
    const images = Array.from({ length: 16 }, () => imageOf({}));
    expect((await batchOf(images)).status).toBe(200);
    const bytes = images.reduce((total, { size }) => total + size, 0);
    expect(await used()).toMatchObject({ 'frames day': 16, 'bytes day': bytes, 'photos day': 0 });
    const one = imageOf({});
    await frameOf(one);
    expect(await used()).toMatchObject({ 'frames day': 17, 'bytes day': bytes + one.size });
  });

  it.each(['minute', 'day'] as const)(
    'beyond those of a %s are refused before any is looked at, and one that fits is taken',
    async (window) => {
      await allBut(15, 'frames', window);
      const before = await framesStored();
      const ids = Array.from({ length: 16 }, () => crypto.randomUUID());
      expectFull(await batchOf(ids.map((id) => imageOf({ id }))), 'frames');
      expect(await framesStored()).toBe(before);
      for (const id of ids) expect(await examined(id)).toBe(0);
      expect((await batchOf(ids.slice(0, 14).map((id) => imageOf({ id })))).status).toBe(200);
      expect((await frameOf(imageOf({}))).status).toBe(200);
      expectFull(await frameOf(imageOf({})), 'frames');
      expect((await batchOf([imageOf({}), imageOf({})], other, otherVenue)).status).toBe(200);
    },
  );

  it('that are sent again count their bytes alone: they make no second row', async () => {
    const image = imageOf({});
    const frame = { image, captured_at: now() };
    for (const times of [1, 2, 3]) {
      expect((await camera.send(`POST /cameras/${venue.cameraId}/frames`, frame)).status).toBe(200);
      expect(await used()).toMatchObject({ 'frames minute': 1, 'frames day': 1, 'bytes day': times * image.size });
    }
  });

  it('that nobody has looked at, for inference is full, do not count: they are sent until somebody does', async () => {
    const good = imageOf({});
    const full = imageOf({ fault: { kind: 'code', code: 'OVERLOADED' } });
    const answer = await batchOf([good, full, full]);
    expect(answer.body).toMatchObject({
      frames: [{ frame_id: expect.any(String) }, { error: { code: 'SERVICE_UNAVAILABLE' } }, { error: {} }],
    });
    expect(await used()).toMatchObject({ 'frames minute': 1, 'frames day': 1, 'bytes day': good.size });
    expect((await frameOf(imageOf({ fault: { kind: 'code', code: 'INVALID_IMAGE' } }))).status).toBe(400);
    expect(await used()).toMatchObject({ 'frames day': 2 });
  });

  it('beyond the bytes of a day are refused', async () => {
    const image = imageOf({});
    await allBut(image.size - 1, 'bytes', 'day');
    expectFull(await frameOf(image), 'bytes');
    expect(await used()).toMatchObject({ 'frames day': 0 });
    await allBut(image.size, 'bytes', 'day');
    expect((await frameOf(image)).status).toBe(200);
  });
});

describe('I-16: photos of a tenant', () => {
  const form = (email: string, ...ids: string[]) => ({
    name: 'Ana',
    email,
    photo: ids.map((id) => imageOf({ id, faces: [faceOf(email)] })),
    consent: 'true',
    consent_text: 'I agree.',
  });

  it('count one by one, and beyond their quota none is looked at', async () => {
    const ids = [crypto.randomUUID(), crypto.randomUUID()];
    await allBut(1, 'photos', 'day');
    const headers = { 'idempotency-key': 'with-two-photos' };
    const sent = form('ana@example.com', ...ids);
    const register = () => admin.send(`POST /register-attendee/${venue.eventId}`, sent, headers);
    expectFull(await register(), 'photos');
    for (const id of ids) expect(await examined(id)).toBe(0);
    await allBut(2, 'photos', 'day');
    // The same request goes through once there is room.
    expect((await register()).status).toBe(201);
    expect(await used()).toMatchObject({ 'photos minute': 2, 'photos day': maxOf('photos', 'day') });
    expectFull(await admin.send('POST /v1/faces', { image: imageOf({}), collection: 'people' }), 'photos');
  });
});

it('I-16: enhancements of a tenant have a quota by the day', async () => {
  await allBut(1, 'enhancements', 'day');
  expect((await admin.send('POST /v1/enhance', { image: imageOf({}) })).status).toBe(202);
  expectFull(await admin.send('POST /v1/enhance', { image: imageOf({}) }), 'enhancements');
});

it('I-16: searches and looks for weapons of a tenant have quotas, and beyond them no image is looked at', async () => {
  const collection = venue.eventId;
  const search = (image: File) => admin.send('POST /v1/search', { image, collection });
  const weapons = (image: File) => admin.send('POST /v1/weapons', { image });
  for (const [resource, ask] of [
    ['searches', search],
    ['weapon_images', weapons],
  ] as const) {
    for (const window of ['minute', 'day'] as const) {
      await env.EVENTS_DB.exec('DELETE FROM tenant_usage');
      await allBut(1, resource, window);
      expect((await ask(imageOf({ faces: [faceOf('ana')] }))).status).toBe(200);
      const id = crypto.randomUUID();
      expectFull(await ask(imageOf({ id })), resource);
      expect(await examined(id)).toBe(0);
    }
  }
  // What is searched for may be a vector, which counts as well.
  await allBut(0, 'searches', 'day');
  expectFull(await admin.send('POST /v1/search', { embedding: '[1]', collection }), 'searches');
});

it('I-16: a quota is taken whole or not at all, also by many at once, and begins anew with its window', async () => {
  const db = eventsDatabase(env.EVENTS_DB);
  const start = 100 * DAY_MS;
  const taking = (amount: number) => [
    { holder: 'one', resource: 'frames', window: 'minute', amount_max: 10, amount } as const,
    { holder: 'one', resource: 'frames', window: 'day', amount_max: 25, amount } as const,
  ];
  const take = (amount: number, at: number) => takeUsage(db, at, taking(amount));
  const taken = await Promise.all(Array.from({ length: 8 }, () => take(3, start)));
  expect(taken.filter(Boolean)).toHaveLength(3);
  expect([await take(2, start + MINUTE_MS - 1), await take(1, start + MINUTE_MS - 1)]).toEqual([false, true]);
  expect([await take(11, start + MINUTE_MS), await take(10, start + MINUTE_MS)]).toEqual([false, true]);
  // The day has 20 of 25.
  expect([await take(6, start + 2 * MINUTE_MS), await take(5, start + 2 * MINUTE_MS)]).toEqual([false, true]);
  expect([await take(1, start + DAY_MS - 1), await take(10, start + DAY_MS)]).toEqual([false, true]);
  // Another clock is behind: the day before is not given once more.
  expect(await take(1, start + DAY_MS - 1)).toBe(false);
  // What is given back is of the window in which it was taken.
  await giveUsageBack(db, start + DAY_MS - 1, taking(10));
  expect(await take(1, start + DAY_MS)).toBe(false);
  await giveUsageBack(db, start + DAY_MS, taking(4));
  expect([await take(5, start + DAY_MS), await take(4, start + DAY_MS)]).toEqual([false, true]);
});
