import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEMO_CLIENTS } from '../../application/seed/demo-credentials.ts';
import { type LocalSystem, localSystem } from './local-system.ts';
import { until } from './until.ts';

const PHOTOS = join(import.meta.dirname, '..', '..', '..', 'shared', 'data', 'faces');
const hasPhotos = existsSync(PHOTOS);
if (!hasPhotos) console.log(`skipped: no photographs in ${PHOTOS}`);

interface Face {
  readonly id: string;
  readonly bbox: readonly [number, number, number, number];
  readonly quality: { readonly blur: number; readonly face_size: number };
  readonly embedding_stored: boolean;
  readonly rejection_reason?: string;
}
interface Uploaded {
  readonly faces: readonly Face[];
  readonly faces_detected: number;
  readonly faces_stored: number;
}
interface Searched {
  readonly query_face: { readonly bbox: readonly number[]; readonly confidence: number };
  readonly matches: readonly { readonly face_id: string; readonly similarity: number }[];
}
interface Job {
  readonly job_id: string;
  readonly status: string;
  readonly result_url: string;
  readonly original_size: readonly number[];
  readonly enhanced_size: readonly number[];
  readonly face_restoration: string;
}

/** An image that the killed container had is tried again; on a busy machine both take minutes. */
const JOB_WAIT_MS = 360_000;
/** Until a container that was killed is there again. */
const CONTAINER_WAIT_MS = 300_000;

let system: LocalSystem;
let authorization: string;

beforeAll(async () => {
  if (!hasPhotos) return;
  system = await localSystem({ SERVICES: 'inference' });
  await system.start();
  const client = DEMO_CLIENTS.find(({ id }) => id === 'demo-events');
  const response = await fetch(`${system.origin}/iam/api/login/oauth/access_token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: client?.id ?? '',
      client_secret: client?.secret ?? '',
    }),
  });
  authorization = `Bearer ${((await response.json()) as { access_token: string }).access_token}`;
});

afterAll(() => (hasPhotos ? system.stop('SIGTERM') : undefined));

const photo = (n: number) => readFileSync(join(PHOTOS, `group-${n}.jpg`));

async function ask<T>(method: string, path: string, init: RequestInit = {}): Promise<{ status: number; body: T }> {
  const headers = { authorization, ...(init.headers as Record<string, string>) };
  const response = await fetch(`${system.origin}/events-service${path}`, { ...init, method, headers });
  return { status: response.status, body: (await response.json()) as T };
}

function send<T>(path: string, fields: Record<string, string | Uint8Array>, key: string = crypto.randomUUID()) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields))
    form.append(name, typeof value === 'string' ? value : new Blob([new Uint8Array(value)]));
  return ask<T>('POST', path, { body: form, headers: { 'idempotency-key': key } });
}

async function upload(image: Uint8Array, collection: string): Promise<Uploaded> {
  const { status, body } = await send<Uploaded>('/v1/faces', { image, collection });
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}

/** A face with some of what surrounds it. */
function crop(image: Uint8Array, [x1, y1, x2, y2]: Face['bbox'], change: (image: Sharp) => Sharp) {
  const margin = (x2 - x1) / 2;
  const left = Math.max(0, Math.round(x1 - margin));
  const top = Math.max(0, Math.round(y1 - margin));
  const cut = sharp(image).extract({
    left,
    top,
    width: Math.round(x2 - x1 + margin),
    height: Math.round(y2 - y1 + margin),
  });
  return change(cut).toBuffer();
}

async function ended(id: string): Promise<Job> {
  const { body } = await until(
    `job ${id} has ended`,
    () => ask<Job>('GET', `/v1/enhance/${id}`),
    ({ body: { status } }) => ['completed', 'failed'].includes(status),
    { within_ms: JOB_WAIT_MS },
  );
  return body;
}

/** Process ids of the container of this system. */
function inferenceProcesses(): number[] {
  const found: number[] = [];
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
      if (command.includes('containers/inference/main.ts') && environment.includes(`STATE_DIR=${system.state}`)) {
        found.push(Number(pid));
      }
    } catch {
      // Another user's, or gone meanwhile.
    }
  }
  return found;
}

/** Kills the container, once there is one; what supervises it starts another. */
async function killInference(): Promise<void> {
  const isOne = ({ length }: readonly number[]) => length === 1;
  const [pid] = await until('the container runs', inferenceProcesses, isOne, { every_ms: 20 });
  process.kill(Number(pid), 'SIGKILL');
}

describe.skipIf(!hasPhotos)('with the models that are installed, on photographs', () => {
  test('the service is healthy', async () => {
    const { body } = await ask('GET', '/healthz');
    expect(body).toEqual({
      status: 'healthy',
      services: { gateway: 'ok', ingest: 'ok', embed: 'ok', enhance: 'ok' },
    });
  });

  test('each face of a photo says whether it was stored, and by which rule it was not', async () => {
    const uploads = await Promise.all([1, 2, 3, 4, 5, 6].map((n) => upload(photo(n), 'photographs')));
    const faces = uploads.flatMap((uploaded) => uploaded.faces);
    expect(faces.length).toBeGreaterThan(20);
    for (const { embedding_stored, rejection_reason, quality } of faces) {
      expect(embedding_stored).toBe(rejection_reason === undefined);
      if (embedding_stored) expect([quality.blur <= 0.5, quality.face_size >= 80]).toEqual([true, true]);
    }
    const stored = faces.filter(({ embedding_stored }) => embedding_stored).length;
    expect(uploads.reduce((total, { faces_stored }) => total + faces_stored, 0)).toBe(stored);
    expect(stored).toBeGreaterThan(5);
  });

  test('a face mirrored, smaller and recompressed is found as itself, and itself alone', async () => {
    const image = photo(1);
    const { faces } = await upload(image, 'crops');
    for (const { id, bbox } of faces.filter(({ embedding_stored }) => embedding_stored)) {
      const query = await crop(image, bbox, (cut) => cut.flop().jpeg({ quality: 50 }));
      const { status, body } = await send<Searched>('/v1/search', { image: query, collection: 'crops', top_k: '3' });
      expect(status, JSON.stringify(body)).toBe(200);
      expect(body.matches.map(({ face_id }) => face_id)).toEqual([id]);
      expect(body.query_face.confidence).toBeGreaterThan(0.5);
    }
  });

  test('weapons are answered 503 MODEL_UNAVAILABLE, never as none', async () => {
    const { status, body } = await send<{ error: { code: string } }>('/v1/weapons', { image: photo(1) });
    expect([status, body.error.code]).toEqual([503, 'MODEL_UNAVAILABLE']);
  });

  test('an image is enhanced to twice its size, and says that faces were not restored', async () => {
    const image = await sharp(photo(1)).resize(160, 120, { fit: 'cover' }).jpeg().toBuffer();
    const accepted = await send<Job>('/v1/enhance', { image, upscale: '2' });
    expect([accepted.status, accepted.body.status]).toEqual([202, 'queued']);
    const job = await ended(accepted.body.job_id);
    expect(job).toMatchObject({
      status: 'completed',
      original_size: [160, 120],
      enhanced_size: [320, 240],
      face_restoration: 'unavailable',
    });
    const png = await (await fetch(job.result_url)).arrayBuffer();
    const { format, width, height } = await sharp(png).metadata();
    expect([format, width, height]).toEqual(['png', 320, 240]);
  });

  test('the container killed mid-photo: repeated, the upload is stored once', async () => {
    const key = crypto.randomUUID();
    const fields = { image: photo(4), collection: 'killed-mid-photo' };
    const first = send<Uploaded>('/v1/faces', fields, key);
    await new Promise((resolve) => setTimeout(resolve, 150));
    await killInference();
    let answer = await first;
    if (answer.status === 503)
      answer = await until(
        'the upload is answered',
        () => send<Uploaded>('/v1/faces', fields, key),
        ({ status }) => status !== 503,
        { within_ms: CONTAINER_WAIT_MS, every_ms: 500 },
      );
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect(answer.body.faces_stored).toBeGreaterThan(0);
    const { body } = await ask<{ faces: unknown[] }>('GET', '/v1/collections/killed-mid-photo/faces');
    expect(body.faces).toHaveLength(answer.body.faces_stored);
  });

  test('the container killed mid-job: the job completes all the same', async () => {
    const image = await sharp(photo(2)).resize(480, 360, { fit: 'cover' }).jpeg().toBuffer();
    const { body } = await send<Job>('/v1/enhance', { image, upscale: '4' });
    const begun = await until(
      'the job has begun',
      () => ask<Job>('GET', `/v1/enhance/${body.job_id}`),
      (seen) => seen.body.status !== 'queued',
      { within_ms: JOB_WAIT_MS, every_ms: 20 },
    );
    expect(begun.body.status, 'it was not over before it could be killed').toBe('processing');
    await killInference();
    expect(await ended(body.job_id)).toMatchObject({ status: 'completed', enhanced_size: [1920, 1440] });
  });
});
