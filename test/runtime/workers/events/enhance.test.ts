import { env } from 'cloudflare:workers';
import { eq, inArray } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { enhancementScope, sourcePlace } from '../../../../application/events/enhancement/enhancement-scope.ts';
import { signLink } from '../../../../application/events/enhancement/result-link.ts';
import type { EventWork } from '../../../../application/events/event-work.ts';
import { sweepEvents } from '../../../../application/events/sweep-events.ts';
import { eventsDatabase } from '../../../../data/events/database.ts';
import { putImage } from '../../../../data/events/images/sealed-images.ts';
import { openScopeKeys } from '../../../../data/events/keys/r2-scope-keys.ts';
import { enhancementJobs } from '../../../../data/events/schema.ts';
import { consumeEventWork } from '../../../../workers/queues/consume-event-work.ts';
import { call, codeOf } from '../../fixtures/call.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { type FormFields, type Staff, staffOf } from './staff.ts';
import { faceOf, imageOf, type TestImage } from './test-image.ts';

interface Job {
  readonly job_id: string;
  readonly status: string;
  readonly progress: number;
  readonly result_url: string | null;
  readonly original_size: readonly number[] | null;
  readonly enhanced_size: readonly number[] | null;
  readonly face_restoration: string | null;
  readonly error: { readonly code: string } | null;
}

let staff: Staff;
let stranger: Staff;

beforeAll(async () => {
  const db = await migrate();
  staff = await staffOf(db, 'org-enhance');
  stranger = await staffOf(db, 'org-other-enhance');
});

const enhance = (fields: FormFields, headers = {}) => staff.send('POST /v1/enhance', fields, headers);

async function accepted(fields: FormFields, headers = {}): Promise<string> {
  const answer = await enhance(fields, headers);
  expect(answer.status, JSON.stringify(answer.body)).toBe(202);
  expect(answer.body).toEqual({ job_id: expect.any(String), status: 'queued' });
  return (answer.body as Job).job_id;
}

async function read(id: string): Promise<Job> {
  const { status, body } = await staff.ask(`GET /v1/enhance/${id}`);
  expect(status).toBe(200);
  return body as Job;
}

async function ended(id: string): Promise<Job> {
  for (;;) {
    const job = await read(id);
    if (job.status === 'completed' || job.status === 'failed') return job;
    await scheduler.wait(20);
  }
}

const jobs = () => eventsDatabase(env.EVENTS_DB);

/** A job that no message of the queue's own tells of, and that is alone: its id. */
async function jobAlone(image: Partial<TestImage>): Promise<string> {
  const id = await accepted({ image: imageOf({}) });
  await ended(id);
  const [row] = await jobs().select().from(enhancementJobs).where(eq(enhancementJobs.id, id));
  if (row === undefined) throw new Error('no job');
  const fresh = crypto.randomUUID();
  const key = await openScopeKeys(env.EVENT_KEYS, env.EVENTS_MASTER_KEY).create(enhancementScope(row.tenant));
  const place = sourcePlace(row.tenant, fresh);
  await putImage(env.EVENT_IMAGES, key, place, new Uint8Array(await imageOf(image).arrayBuffer()));
  const { resultKey: _, ...unresulted } = row;
  await jobs()
    .update(enhancementJobs)
    .set({ status: 'failed' })
    .where(inArray(enhancementJobs.status, ['queued', 'processing']));
  await jobs()
    .insert(enhancementJobs)
    .values({ ...unresulted, id: fresh, sourceKey: place.path, status: 'queued', progress: 0, attempts: 0 });
  return fresh;
}

/** Delivers so many messages to consumers, each on its own, all at once; what becomes of each: in how many seconds it comes again. */
async function deliver(messages = 1): Promise<('acked' | number)[]> {
  const body: EventWork = { type: 'enhance' };
  return Promise.all(
    Array.from({ length: messages }, async () => {
      let outcome: 'acked' | number | null = null;
      const message = {
        id: crypto.randomUUID(),
        body,
        ack: () => {
          outcome = 'acked';
        },
        retry: ({ delaySeconds = 0 }: QueueRetryOptions = {}) => {
          outcome = delaySeconds;
        },
      };
      await consumeEventWork({ queue: 'event-work', messages: [message] } as unknown as MessageBatch, env);
      if (outcome === null) throw new Error('neither acknowledged nor retried');
      return outcome;
    }),
  );
}

/** The lease of a job is over, or the time that it waits before it is tried again. */
async function passTime(id: string): Promise<void> {
  await jobs().update(enhancementJobs).set({ leaseUntil: 1 }).where(eq(enhancementJobs.id, id));
}

async function requestsOf(image: string): Promise<unknown[]> {
  return (await fetch(`${env.INFERENCE_URL}/requests?image=${image}`)).json();
}

const pngOf = async (url: string) => call(`GET ${url}`);

describe('POST /v1/enhance', () => {
  it('answers a queued job, which completes with a result, its sizes and what was restored', async () => {
    const image = { id: crypto.randomUUID() };
    const job = await ended(await accepted({ image: imageOf(image), fidelity: '0.25', upscale: '4' }));
    expect(job).toEqual({
      job_id: expect.any(String),
      status: 'completed',
      progress: 1,
      result_url: expect.stringContaining(`/events-service/v1/enhance/${job.job_id}/result?`),
      original_size: [320, 240],
      enhanced_size: [1280, 960],
      face_restoration: 'unavailable',
      error: null,
    });
    const result = await pngOf(job.result_url ?? '');
    expect([result.status, result.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(result.body).toContain(`enhanced 4 0.25 ${image.id}`);
  });

  it('takes fidelity 0.5 and upscale 2 unless told', async () => {
    const image = imageOf({});
    const job = await ended(await accepted({ image }));
    expect((await pngOf(job.result_url ?? '')).body).toContain('enhanced 2 0.5');
    for (const wrong of [{ fidelity: '1.1' }, { fidelity: '-1' }, { fidelity: '' }, { upscale: '3' }, { upscale: '0' }])
      expect(codeOf(await enhance({ image, ...wrong }))).toBe('VALIDATION_ERROR');
  });

  it('refuses at once what is no image', async () => {
    const answer = await enhance({ image: new File(['GIF89a…'], 'photo.png', { type: 'image/png' }) });
    expect([answer.status, codeOf(answer)]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  });

  it('repeated under its Idempotency-Key is one job', async () => {
    const fields = { image: imageOf({ faces: [faceOf('ana')] }) };
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const id = await accepted(fields, headers);
    expect(await accepted(fields, headers)).toBe(id);
  });

  it('keeps image and result sealed', async () => {
    const id = await accepted({ image: imageOf({ faces: [faceOf('somebody')] }) });
    await ended(id);
    const { objects } = await env.EVENT_IMAGES.list();
    const kept = objects.filter(({ key }) => key.endsWith(id));
    expect(kept).toHaveLength(2);
    for (const { key } of kept) {
      const text = await (await env.EVENT_IMAGES.get(key))?.text();
      expect(text).not.toMatch(/somebody|enhanced|PNG/);
    }
  });
});

describe('GET /v1/enhance/{job_id}', () => {
  it('shows no job of another tenant', async () => {
    const id = await accepted({ image: imageOf({}) });
    const answer = await stranger.ask(`GET /v1/enhance/${id}`);
    expect([answer.status, codeOf(answer)]).toEqual([404, 'NOT_FOUND']);
  });

  it('shows progress while the job is processing', async () => {
    const image = crypto.randomUUID();
    const id = await jobAlone({ id: image, isHeld: true });
    expect(await read(id)).toMatchObject({ status: 'queued', progress: 0, result_url: null });
    const delivered = deliver();
    await expect.poll(() => read(id)).toMatchObject({ status: 'processing', progress: 0.5, result_url: null });
    await (await fetch(`${env.INFERENCE_URL}/let-go?image=${image}`)).text();
    expect(await delivered).toEqual(['acked']);
    expect(await read(id)).toMatchObject({ status: 'completed', progress: 1, result_url: expect.any(String) });
  });
});

describe('a result’s link', () => {
  it('opens with its own signature, for its own job, and until it expires', async () => {
    const [one, other] = await Promise.all([accepted({ image: imageOf({}) }), accepted({ image: imageOf({}) })]);
    const url = new URL((await ended(one)).result_url ?? '');
    await ended(other);
    expect((await pngOf(url.href)).status).toBe(200);
    const changed = (change: (url: URL) => void) => {
      const copy = new URL(url);
      change(copy);
      return pngOf(copy.href);
    };
    const later = String(Number(url.searchParams.get('expires')) + 1);
    expect((await changed(({ searchParams }) => searchParams.set('expires', later))).status).toBe(403);
    expect((await changed(({ searchParams }) => searchParams.set('signature', 'AAAA'))).status).toBe(403);
    const elsewhere = await changed((copy) => {
      copy.pathname = copy.pathname.replace(one, other);
    });
    expect(elsewhere.status).toBe(403);
    const expires = Date.now() - 1;
    const signature = await signLink(env, { tenant: staff.owner, jobId: one, expires });
    const expired = await changed(({ searchParams }) => {
      searchParams.set('expires', String(expires));
      searchParams.set('signature', signature);
    });
    expect([expired.status, JSON.stringify(expired.body)]).toEqual([403, expect.stringContaining('expired')]);
  });
});

describe('an enhancement job', () => {
  it('delivered twice at once is worked on once', async () => {
    const image = crypto.randomUUID();
    const id = await jobAlone({ id: image, isHeld: true });
    const both = [deliver(), deliver()];
    expect(await Promise.race(both)).toEqual([expect.any(Number)]);
    await expect.poll(() => requestsOf(image)).toHaveLength(1);
    await (await fetch(`${env.INFERENCE_URL}/let-go?image=${image}`)).text();
    expect((await Promise.all(both)).flat()).toContain('acked');
    expect(await requestsOf(image)).toHaveLength(1);
    expect(await read(id)).toMatchObject({ status: 'completed' });
  });

  it('delivered again after its end stays as it ended', async () => {
    const image = crypto.randomUUID();
    const id = await jobAlone({ id: image });
    expect(await deliver()).toEqual(['acked']);
    const job = await read(id);
    expect(await deliver(2)).toEqual(['acked', 'acked']);
    expect(await requestsOf(image)).toHaveLength(1);
    expect({ ...(await read(id)), result_url: null }).toEqual({ ...job, result_url: null });
  });

  it('whose container is killed mid-job waits, and completes on the next delivery', async () => {
    const id = await jobAlone({ fault: { kind: 'killed', times: 1 } });
    expect(await deliver()).toEqual([5]);
    expect(await read(id)).toMatchObject({ status: 'queued', progress: 0 });
    await passTime(id);
    expect(await deliver()).toEqual(['acked']);
    expect(await read(id)).toMatchObject({ status: 'completed' });
  });

  it('fails after its last attempt', async () => {
    const id = await jobAlone({ fault: { kind: 'code', code: 'OVERLOADED' } });
    const delays: unknown[] = [];
    for (let delivery = 0; delivery < 6; delivery++) {
      delays.push(...(await deliver()));
      await passTime(id);
    }
    expect(delays).toEqual([5, 10, 20, 40, 'acked', 'acked']);
    expect(await read(id)).toMatchObject({ status: 'failed', error: { code: 'SERVICE_UNAVAILABLE' } });
  });

  it('fails at once for an image that cannot be decoded', async () => {
    const id = await jobAlone({ fault: { kind: 'code', code: 'INVALID_IMAGE', details: { reason: 'truncated' } } });
    expect(await deliver()).toEqual(['acked']);
    expect(await read(id)).toMatchObject({
      status: 'failed',
      error: { code: 'VALIDATION_ERROR' },
      result_url: null,
    });
  });

  it('whose consumer died is taken over once its lease is over', async () => {
    const id = await jobAlone({});
    const died = { status: 'processing', attempts: 1, leaseUntil: Date.now() + 60_000 } as const;
    await jobs().update(enhancementJobs).set(died).where(eq(enhancementJobs.id, id));
    const [delay] = await deliver();
    expect(delay).toBeGreaterThan(50);
    await passTime(id);
    expect(await deliver()).toEqual(['acked']);
    expect(await read(id)).toMatchObject({ status: 'completed' });
  });

  it('whose message was lost is queued again', async () => {
    const id = await jobAlone({});
    // Nothing was worked on for long.
    await jobs().update(enhancementJobs).set({ updatedAt: 1 });
    await sweepEvents(env);
    expect(await ended(id)).toMatchObject({ status: 'completed' });
  });

  it('is deleted with its images when it has expired', async () => {
    const id = await accepted({ image: imageOf({}) });
    await ended(id);
    await jobs().update(enhancementJobs).set({ expiresAt: 1 }).where(eq(enhancementJobs.id, id));
    expect((await staff.ask(`GET /v1/enhance/${id}`)).status).toBe(404);
    await sweepEvents(env);
    const { objects } = await env.EVENT_IMAGES.list();
    expect(objects.filter(({ key }) => key.endsWith(id))).toEqual([]);
    expect(await jobs().select().from(enhancementJobs).where(eq(enhancementJobs.id, id))).toEqual([]);
  });
});
