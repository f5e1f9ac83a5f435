import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { requestReembedding } from '../../../../application/events/collections/request-reembedding.ts';
import { findEnhancement } from '../../../../application/events/enhancement/find-enhancement.ts';
import { requestEnhancement } from '../../../../application/events/enhancement/request-enhancement.ts';
import { runEnhancement } from '../../../../application/events/enhancement/run-enhancement.ts';
import { sweepEvents } from '../../../../application/events/sweep-events.ts';
import { eventsDatabase } from '../../../../data/events/database.ts';
import { createCollection } from '../../../../data/events/images/collections.ts';
import { claimNextJob, createJob, giveTurn } from '../../../../data/events/images/enhancement-jobs.ts';
import { DAY_MS, MINUTE_MS } from '../../../../domain/calendar/durations.ts';
import { runJob } from '../../../../workers/cron/run-job.ts';
import { codeOf } from '../../fixtures/call.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { staffOf } from '../../workers/events/staff.ts';
import { imageOf } from '../../workers/events/test-image.ts';

const NEVER = new Promise<never>(() => undefined);
const MANY = { jobs_max: 10_000, bytes_max: 10_000_000 };
const db = () => eventsDatabase(env.EVENTS_DB);

beforeAll(async () => {
  await migrate();
});

beforeEach(async () => {
  await env.EVENTS_DB.exec('DELETE FROM enhancement_jobs');
});

/** Bindings whose queues keep what they are sent, and whose image store counts what is put. */
function recording() {
  const sent: unknown[] = [];
  const reembeds: unknown[] = [];
  let puts = 0;
  const queueOf = (messages: unknown[]) => ({
    send: async (body: unknown) => void messages.push(body),
    sendBatch: async (batch: { body: unknown }[]) => void messages.push(...batch.map(({ body }) => body)),
  });
  const EVENT_IMAGES = new Proxy(env.EVENT_IMAGES, {
    get(bucket, name) {
      if (name === 'put') puts += 1;
      const value = Reflect.get(bucket, name) as unknown;
      return typeof value === 'function' ? value.bind(bucket) : value;
    },
  });
  const bindings = {
    ...env,
    EVENT_IMAGES,
    EVENT_WORK: queueOf(sent),
    EVENT_REEMBED: queueOf(reembeds),
  } as unknown as Env;
  return { bindings, sent, reembeds, puts: () => puts };
}

/** Rows of jobs of a tenant, without their images. */
async function jobsOf(
  tenant: string,
  count: number,
  columns: Readonly<Record<string, number | string>>,
): Promise<void> {
  const now = Date.now();
  const row = {
    tenant: `'${tenant}'`,
    created_by: "'somebody'",
    status: "'queued'",
    fidelity: 0.5,
    upscale: 2,
    source_key: `'nowhere'`,
    byte_length: 1,
    created_at: now,
    updated_at: now,
    expires_at: now + DAY_MS,
    turn: 'value',
    ...columns,
  };
  await env.EVENTS_DB.prepare(
    `WITH RECURSIVE numbers (value) AS (SELECT 0 UNION ALL SELECT value + 1 FROM numbers WHERE value < ${count - 1})
     INSERT INTO enhancement_jobs (id, ${Object.keys(row).join()})
     SELECT '${tenant}-' || printf('%06d', value), ${Object.values(row).join()} FROM numbers`,
  ).run();
}

const total = async (where: string) =>
  (await env.EVENTS_DB.prepare(`SELECT count(*) AS total FROM enhancement_jobs WHERE ${where}`).first(
    'total',
  )) as number;

const enhancementOf = (id: string, image = imageOf({})) => ({
  id,
  image,
  fidelity: 0.5,
  upscale: 2,
  createdBy: 'somebody',
});

/** A job whose image is nowhere, and that waits for its turn. */
async function waiting(tenant: string, id: string): Promise<void> {
  const now = Date.now();
  const terms = { fidelity: 0.5, upscale: 2, sourceKey: 'nowhere', byteLength: 1, createdBy: 'somebody' };
  expect(await createJob(db(), { id, tenant, ...terms, createdAt: now, expiresAt: now + DAY_MS }, MANY)).toBe(true);
  await giveTurn(db(), { id, tenant });
}

async function claimed(count: number): Promise<(string | undefined)[]> {
  const ids: (string | undefined)[] = [];
  const now = Date.now();
  for (let at = 0; at < count; at++)
    ids.push((await claimNextJob(db(), { now, leaseUntil: now + 10 * MINUTE_MS }))?.id);
  return ids;
}

describe('I-07: whose turn it is', () => {
  it('a thousand jobs of one tenant hold one of another up by one of theirs, whenever it comes', async () => {
    await jobsOf('flood', 1_000, {});
    const { bindings, sent } = recording();
    for (let job = 0; job < 100; job++) expect(await runEnhancement(bindings)).toEqual({ type: 'done' });
    const caller = { tenant: 'late', organization: 'late', requestId: 'late' };
    expect(await requestEnhancement(bindings, caller, enhancementOf('late-1'))).toEqual({ ok: true, value: null });
    expect(sent).toEqual([{ type: 'enhance' }]);
    for (let job = 0; job < 2; job++) await runEnhancement(bindings);
    expect(await findEnhancement(env, 'late', 'late-1')).toMatchObject({ status: 'completed', attempts: 1 });
    expect(await total('attempts = 1')).toBe(102);
    expect(await total('attempts > 1')).toBe(0);
  });

  it('tenants take turns, however many jobs each has, in the order of their own', async () => {
    for (const id of ['a1', 'a2', 'a3', 'a4']) await waiting('a', id);
    expect(await claimed(2)).toEqual(['a1', 'a2']);
    for (const id of ['b1', 'b2', 'b3']) await waiting('b', id);
    await waiting('c', 'c1');
    expect(await claimed(6)).toEqual(['a3', 'b1', 'c1', 'a4', 'b2', 'b3']);
    // Whoever had nothing to do has saved up no turns.
    for (const id of ['d1', 'd2']) await waiting('d', id);
    await waiting('a', 'a5');
    expect(await claimed(3)).toEqual(['a5', 'd1', 'd2']);
  });

  it('one whose attempts fail gives its tenant’s later jobs no earlier turn', async () => {
    await jobsOf('flood', 50, {});
    await claimed(40);
    await env.EVENTS_DB.exec("UPDATE enhancement_jobs SET status = 'completed' WHERE turn BETWEEN 1 AND 39");
    for (const id of ['b1', 'b2', 'b3']) await waiting('b', id);
    expect(await claimed(4)).toEqual(['b1', 'flood-000040', 'b2', 'flood-000041']);
  });

  it('messages at once take each job once, and those for whom there is none wait for the others', async () => {
    await jobsOf('one', 5, { source_key: "'nowhere'" });
    const now = Date.now();
    const taken = await Promise.all(
      Array.from({ length: 8 }, () => claimNextJob(db(), { now, leaseUntil: now + MINUTE_MS })),
    );
    expect(new Set(taken.flatMap((job) => job?.id ?? [])).size).toBe(5);
    expect(await total('attempts = 1')).toBe(5);
    const { delaySeconds } = (await runEnhancement(env)) as { delaySeconds: number };
    expect(delaySeconds).toBeGreaterThan(50);
  });

  it('one whose consumer died is the next, once its lease is over', async () => {
    await jobsOf('one', 3, {});
    const now = Date.now();
    await claimNextJob(db(), { now, leaseUntil: now + 10 });
    const next = await claimNextJob(db(), { now: now + 11, leaseUntil: now + MINUTE_MS });
    expect(next).toMatchObject({ id: 'one-000000', attempts: 2 });
    expect(await claimNextJob(db(), { now: now + 12, leaseUntil: now + MINUTE_MS })).toMatchObject({
      id: 'one-000001',
    });
  });

  it('one whose image is being stored has none yet', async () => {
    await jobsOf('one', 1, { turn: 'NULL' });
    expect(await runEnhancement(env)).toEqual({ type: 'done' });
    expect(await total('attempts = 0')).toBe(1);
  });
});

describe('I-07: what waits for a tenant', () => {
  const caller = { tenant: 'full', organization: 'full', requestId: 'full' };

  it('is bounded in jobs, and what is too many is not stored', async () => {
    const { bindings, sent, puts } = recording();
    const ask = (id: string, of = caller) =>
      requestEnhancement(bindings, of, enhancementOf(id), { ...MANY, jobs_max: 2 });
    for (const id of ['1', '2']) expect((await ask(id)).ok).toBe(true);
    const refused = await ask('3');
    expect(refused).toMatchObject({ ok: false, error: { error: { code: 'RATE_LIMIT_EXCEEDED' }, retryAfter: 10 } });
    expect([puts(), sent.length, await total("tenant = 'full'")]).toEqual([2, 2, 2]);
    expect((await ask('4', { ...caller, tenant: 'other' })).ok).toBe(true);
    expect((await ask('1')).ok).toBe(true);
    await runEnhancement(bindings);
    expect((await ask('3')).ok).toBe(true);
  });

  it('is bounded in bytes', async () => {
    const { bindings, puts } = recording();
    const image = imageOf({});
    const bounds = { ...MANY, bytes_max: 2 * image.size };
    const ask = (id: string) => requestEnhancement(bindings, caller, enhancementOf(id, image), bounds);
    for (const id of ['1', '2']) expect((await ask(id)).ok).toBe(true);
    expect((await ask('3')).ok).toBe(false);
    expect(puts()).toBe(2);
  });

  it('is answered 429 with when to ask again, and the same request goes through once there is room', async () => {
    const staff = await staffOf(await migrate(), 'org-full');
    await jobsOf('org-full', 1_000, {});
    const headers = { 'idempotency-key': 'once-there-is-room' };
    const image = imageOf({});
    const refused = await staff.send('POST /v1/enhance', { image }, headers);
    expect([refused.status, codeOf(refused), refused.headers.get('retry-after')]).toEqual([
      429,
      'RATE_LIMIT_EXCEEDED',
      '10',
    ]);
    await env.EVENTS_DB.exec('DELETE FROM enhancement_jobs');
    expect((await staff.send('POST /v1/enhance', { image }, headers)).status).toBe(202);
  });
});

describe('I-07: the hourly sweep', () => {
  it('deletes ten thousand expired jobs, with their images, in one go', async () => {
    const { bindings } = recording();
    const caller = { tenant: 'kept', organization: 'kept', requestId: 'kept' };
    await requestEnhancement(bindings, caller, enhancementOf('image-1'));
    await jobsOf('old', 10_000, { expires_at: 1 });
    await env.EVENTS_DB.exec("UPDATE enhancement_jobs SET expires_at = 1 WHERE id = 'image-1'");
    await jobsOf('young', 3, {});
    const terms = { job: 'sweep_events', holder: 'test', now: Date.now(), overdue: NEVER };
    expect(await runJob(bindings, terms)).toEqual({ type: 'done' });
    expect([await total('expires_at = 1'), await total('true')]).toEqual([0, 3]);
    expect((await env.EVENT_IMAGES.list()).objects.filter(({ key }) => key.endsWith('image-1'))).toEqual([]);
  });

  it('queues none again that waits for its turn, however long', async () => {
    await jobsOf('old', 300, { updated_at: 1 });
    const { bindings, sent } = recording();
    await runEnhancement(bindings);
    await sweepEvents(bindings);
    expect(sent).toEqual([]);
  });

  it('gives one a turn whose request died before it had any, also while those of others are worked on', async () => {
    await jobsOf('busy', 3, {});
    await jobsOf('cut-off', 1, { updated_at: 1, turn: 'NULL' });
    const { bindings, sent } = recording();
    await runEnhancement(bindings);
    await sweepEvents(bindings);
    expect(sent).toHaveLength(1);
    expect(await total('turn IS NULL')).toBe(0);
  });

  it('queues each once where nobody has worked on any, those too whose request died before they had a turn', async () => {
    await jobsOf('old', 250, { updated_at: 1 });
    await jobsOf('cut-off', 1, { updated_at: 1, turn: 'NULL' });
    await jobsOf('being-stored', 1, { turn: 'NULL' });
    const { bindings, sent } = recording();
    await sweepEvents(bindings);
    await sweepEvents(bindings);
    expect(sent).toHaveLength(251);
    expect([await total('turn IS NULL'), await total("tenant = 'cut-off' AND turn IS NULL")]).toEqual([1, 0]);
  });
});

it('I-07: embedding again has a queue of its own', async () => {
  const { bindings, sent, reembeds } = recording();
  const row = { id: crypto.randomUUID(), tenant: 'again', name: 'people', eventId: null, createdAt: Date.now() };
  const collection = await createCollection(db(), row);
  await requestReembedding(bindings, collection, { tenant: 'again', organization: 'again', requestId: 'again' });
  expect([sent.length, reembeds.length]).toEqual([0, 1]);
});
