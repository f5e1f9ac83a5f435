import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { type ClientRequest, request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { EnhancementResult, FaceAnalysis, InferenceHealth } from '../../protocol/inference/wire.ts';
import { readSettings } from './settings.ts';
import { type InferenceServer, startServer } from './start-server.ts';

// The requests' log lines would fill the screen.
process.env.LOG_LEVEL = 'error';
// Worker threads that are ended and loaded again take long on a busy machine.
vi.setConfig({ testTimeout: 400_000, hookTimeout: 400_000 });

const SECRET = 'a secret of the test';
const ENGINES = new URL('./test/stand-in-engines.ts', import.meta.url);

interface Photo {
  /** What the stand-in engines do with it. */
  readonly r?: number;
  readonly g?: number;
  readonly b?: number;
}

const photo = ({ r = 0, g = 0, b = 0 }: Photo = {}) =>
  sharp({ create: { width: 32, height: 24, channels: 3, background: { r, g, b } } })
    .png()
    .toBuffer();

/** Photos of this red wait in their workers until the gate of the test is open. */
const GATED = { r: 252 } as const;
let gate: string;
beforeEach(() => {
  gate = mkdtempSync(join(tmpdir(), 'gate-'));
});
afterEach(() => rmSync(gate, { recursive: true }));
const openGate = () => writeFileSync(join(gate, 'open'), '');
/** Until so many workers wait at the gate. */
const comeToGate = (workers: number) =>
  eventually(async () => readdirSync(gate).filter((name) => name.startsWith('came-')).length >= workers);

/** Its workers know the gate of the test that starts it. */
async function startGated(environment: Readonly<Record<string, string>> = {}) {
  process.env.STAND_IN_GATE = gate;
  const server = await start(environment);
  await server.ready;
  return { server, client: clientOf(server) };
}

function start(environment: Readonly<Record<string, string>> = {}): Promise<InferenceServer> {
  const settings = readSettings({
    INFERENCE_SECRET: SECRET,
    HOST: '127.0.0.1',
    PORT: '0',
    WORKERS: '2',
    ...environment,
  });
  return startServer(settings, ENGINES);
}

const clientOf = ({ port }: InferenceServer) => ({
  post: (path: string, body: NonNullable<RequestInit['body']>, init: RequestInit & { duplex?: 'half' } = {}) =>
    fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers: { 'x-inference-secret': SECRET },
      body,
      ...init,
    }),
  async health() {
    const response = await fetch(`http://127.0.0.1:${port}/healthz`);
    return { http: response.status, ...((await response.json()) as InferenceHealth) };
  },
});

async function failureOf(response: Response) {
  const { error } = (await response.json()) as {
    error: { code: string; message: string; details: Record<string, unknown> };
  };
  return { status: response.status, code: error.code, reason: error.details.reason };
}

async function eventually(check: () => Promise<boolean>): Promise<void> {
  for (let step = 0; step < 2_400; step++) {
    if (await check()) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error('it did not come about');
}

describe('the inference service', () => {
  let server: InferenceServer;
  let client: ReturnType<typeof clientOf>;
  beforeAll(async () => {
    server = await start();
    client = clientOf(server);
    await server.ready;
  });
  afterAll(() => server.drain());

  it('answers the faces of a photo with vectors as little-endian float32', async () => {
    const response = await client.post('/v1/faces?embed=qualified', await photo());
    expect(response.status).toBe(200);
    const analysis = (await response.json()) as FaceAnalysis;
    expect(analysis).toMatchObject({ model: { name: 'stand-in' }, image: { width: 32, height: 24 } });
    const vector = Buffer.from(analysis.faces[0]?.embedding ?? '', 'base64');
    expect([vector.readFloatLE(0), vector.readFloatLE(4)]).toEqual([Math.fround(0.6), Math.fround(-0.8)]);
  });

  it('tells a photo by its content, not by the type that is given', async () => {
    const headers = { 'x-inference-secret': SECRET, 'content-type': 'image/gif' };
    expect((await client.post('/v1/faces', await photo(), { headers })).status).toBe(200);
  });

  it('answers no vector where none is asked for', async () => {
    const analysis = (await (await client.post('/v1/faces', await photo())).json()) as FaceAnalysis;
    expect(analysis.faces[0]?.embedding).toBeNull();
  });

  it('says which models it has', async () => {
    expect(await client.health()).toEqual({
      http: 200,
      status: 'ok',
      models: {
        faces: { name: 'stand-in', version: '1', dimensions: 2 },
        weapons: null,
        restoration: null,
        upscaling: 'stand-in',
      },
      queued: 0,
    });
  });

  it('refuses a request without the secret, or with another', async () => {
    for (const secret of [undefined, '', `${SECRET}.`, SECRET.slice(1)]) {
      const headers: Record<string, string> = secret === undefined ? {} : { 'x-inference-secret': secret };
      expect(await failureOf(await client.post('/v1/faces', await photo(), { headers }))).toMatchObject({
        status: 401,
        code: 'UNAUTHORIZED',
      });
    }
  });

  it('never says "no weapon" without a model that could find one', async () => {
    expect(await failureOf(await client.post('/v1/weapons', await photo()))).toMatchObject({
      status: 503,
      code: 'MODEL_UNAVAILABLE',
    });
  });

  it.each([
    ['text', () => Buffer.from('hello'), 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['nothing', () => Buffer.alloc(0), 400, 'INVALID_IMAGE'],
    ['a damaged photo', async () => (await photo()).subarray(0, 60), 400, 'INVALID_IMAGE'],
  ])('refuses %s', async (_, make, status, code) => {
    for (const path of ['/v1/faces', '/v1/enhance'])
      expect(await failureOf(await client.post(path, new Uint8Array(await make())))).toMatchObject({ status, code });
  });

  it.each(['/v1/faces?embed=all', '/v1/enhance?upscale=3', '/v1/enhance?fidelity=1.1', '/v1/enhance?fidelity=high'])(
    'refuses %s',
    async (path) => {
      expect(await failureOf(await client.post(path, await photo()))).toMatchObject({
        status: 400,
        code: 'VALIDATION_ERROR',
      });
    },
  );

  it('refuses more than 10 MiB, with a declared length and without', async () => {
    const large = { status: 413, code: 'PAYLOAD_TOO_LARGE' };
    expect(await failureOf(await client.post('/v1/faces', new Uint8Array(10 * 1_024 * 1_024 + 1)))).toMatchObject(
      large,
    );
    let left = 11;
    const chunked = new ReadableStream<Uint8Array>({
      pull: (controller) => (left-- > 0 ? controller.enqueue(new Uint8Array(1_024 * 1_024)) : controller.close()),
    });
    expect(await failureOf(await client.post('/v1/faces', chunked, { duplex: 'half' }))).toMatchObject(large);
  });

  it('answers with the request id that it was given', async () => {
    const headers = { 'x-inference-secret': SECRET, 'x-request-id': 'request-7' };
    for (const path of ['/v1/faces', '/v1/weapons'])
      expect((await client.post(path, await photo(), { headers })).headers.get('x-request-id')).toBe('request-7');
  });

  it('answers health at once while photos are processed', async () => {
    const gated = await startGated();
    const image = await photo(GATED);
    const busy = [1, 2].map(() => gated.client.post('/v1/faces', image));
    let processed = false;
    void Promise.race(busy).then(() => {
      processed = true;
    });
    await comeToGate(2);
    expect((await gated.client.health()).status).toBe('ok');
    expect(processed).toBe(false);
    openGate();
    for (const response of await Promise.all(busy)) expect(response.status).toBe(200);
    await gated.server.drain();
  });

  it('answers for a photo whose worker dies, replaces the worker and goes on with the other', async () => {
    const gated = await startGated();
    const other = photo(GATED).then((image) => gated.client.post('/v1/faces', image));
    await comeToGate(1);
    const killed = await gated.client.post('/v1/faces', await photo({ b: 250 }));
    expect(await failureOf(killed)).toEqual({ status: 500, code: 'INTERNAL_ERROR', reason: 'worker_ended' });
    openGate();
    expect((await other).status).toBe(200);
    for (let at = 0; at < 4; at++) expect((await gated.client.post('/v1/faces', await photo())).status).toBe(200);
    await gated.server.drain();
  });

  it('tells nothing of the inside when a model throws', async () => {
    const response = await client.post('/v1/faces', await photo({ g: 250 }));
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain('threw');
  });

  it('streams an enhancement: progress, then what was made, then the PNG', async () => {
    const response = await client.post('/v1/enhance?upscale=4', await photo({ r: 10 }));
    expect(response.headers.get('content-type')).toBe('application/x-enhancement');
    const { lines, png } = splitEnhancement(new Uint8Array(await response.arrayBuffer()));
    const steps = lines.slice(0, -1).map((line) => (line as { progress: number }).progress);
    expect(steps.length).toBeGreaterThan(5);
    expect(steps).toEqual(steps.toSorted((a, b) => a - b));
    expect(steps.at(-1)).toBe(1);
    const result = lines.at(-1) as EnhancementResult;
    expect(result).toEqual({
      original: { width: 32, height: 24 },
      enhanced: { width: 128, height: 96 },
      byteLength: png.length,
      faceRestoration: 'unavailable',
      upscaler: 'stand-in',
    });
    expect(await sharp(png).metadata()).toMatchObject({ format: 'png', width: 128, height: 96 });
  });

  it('ends an enhancement that fails on the way with a line of the error', async () => {
    const response = await client.post('/v1/enhance', await photo({ g: 250 }));
    expect(response.status).toBe(200);
    const lines = (await response.text()).trim().split('\n');
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ error: { code: 'INTERNAL_ERROR' } });
  });

  it('an enhancement whose client goes away ends, and its worker is free', async () => {
    const server = await start({ WORKERS: '1' });
    const client = clientOf(server);
    await server.ready;
    const left = new AbortController();
    const response = await client.post('/v1/enhance', await photo({ r: 254 }), { signal: left.signal });
    await response.body!.getReader().read();
    left.abort();
    expect((await client.post('/v1/faces', await photo())).status).toBe(200);
    await server.drain();
  });

  it('an enhancement of scale 1 needs no upscaler and keeps the size', async () => {
    const response = await client.post('/v1/enhance?upscale=1', await photo());
    const { lines } = splitEnhancement(new Uint8Array(await response.arrayBuffer()));
    expect(lines.at(-1)).toMatchObject({ enhanced: { width: 32, height: 24 }, upscaler: 'none' });
  });
});

describe('one tenant', () => {
  const largePhoto = (r: number) =>
    sharp({ create: { width: 5_000, height: 3_000, channels: 3, background: { r, g: 0, b: 0 } } })
      .png()
      .toBuffer();
  const headersOf = (tenant: string) => ({ 'x-inference-secret': SECRET, 'x-tenant-id': tenant });

  it.each(['1', '2'])('with twelve large images does not hold up another, on %s workers', async (workers) => {
    const { server, client } = await startGated({ WORKERS: workers });
    let done = 0;
    const large = await largePhoto(GATED.r);
    const first = Array.from({ length: 12 }, async () => {
      const { status } = await client.post('/v1/faces', large, { headers: headersOf('first') });
      done += 1;
      return status;
    });
    await eventually(async () => (await client.health()).queued === 11);
    let isAnswered = false;
    const other = client.post('/v1/faces', await photo(), { headers: headersOf('second') }).then((response) => {
      isAnswered = true;
      return { status: response.status, before: done };
    });
    // A worker of its own answers it; the only one there is has it in its queue.
    await eventually(async () => isAnswered || (await client.health()).queued === 12);
    openGate();
    const { status, before } = await other;
    expect(status).toBe(200);
    expect(before).toBeLessThan(6);
    expect(new Set(await Promise.all(first))).toEqual(new Set([200]));
    await server.drain();
  });

  it('that has taken every place gives one up to another', async () => {
    const { server, client } = await startGated({ WORKERS: '1', QUEUE_MAX: '4' });
    const slow = await photo(GATED);
    const statuses: number[] = [];
    const first = Array.from({ length: 5 }, async () => {
      statuses.push((await client.post('/v1/faces', slow, { headers: headersOf('first') })).status);
    });
    await eventually(async () => (await client.health()).queued === 4);
    const other = client.post('/v1/faces', await photo(), { headers: headersOf('second') });
    await eventually(async () => statuses.length === 1);
    openGate();
    expect((await other).status).toBe(200);
    await Promise.all(first);
    expect(statuses).toEqual([503, 200, 200, 200, 200]);
    await server.drain();
  });
});

describe('a full service', () => {
  it('refuses with OVERLOADED and says when to come again; a client that goes away frees its place', async () => {
    const { server, client } = await startGated({ WORKERS: '1', QUEUE_MAX: '1' });
    const running = photo(GATED).then((image) => client.post('/v1/faces', image));
    await comeToGate(1);
    const left = new AbortController();
    const waiting = client.post('/v1/faces', await photo(), { signal: left.signal }).catch(() => 'left');
    await eventually(async () => (await client.health()).queued === 1);
    const refused = await client.post('/v1/faces', await photo());
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await failureOf(refused)).toEqual({ status: 503, code: 'OVERLOADED', reason: 'queue_full' });
    left.abort();
    expect(await waiting).toBe('left');
    await eventually(async () => (await client.health()).queued === 0);
    const inItsPlace = client.post('/v1/faces', await photo());
    openGate();
    expect((await inItsPlace).status).toBe(200);
    expect((await running).status).toBe(200);
    await server.drain();
  });

  it('refuses more bodies at the same time than it could queue', async () => {
    const server = await start({ WORKERS: '1', QUEUE_MAX: '1' });
    const client = clientOf(server);
    await server.ready;
    const slow = [1, 2].map(() => {
      const upload = httpRequest({
        host: '127.0.0.1',
        port: server.port,
        method: 'POST',
        path: '/v1/faces',
        headers: { 'x-inference-secret': SECRET, 'content-length': 1_000 },
      });
      upload.on('error', () => undefined).write(Buffer.alloc(500));
      return upload;
    });
    const image = await photo();
    await eventually(async () => (await client.post('/v1/faces', image)).status === 503);
    for (const upload of slow) upload.destroy();
    await eventually(async () => (await client.post('/v1/faces', image)).status === 200);
    await server.drain();
  });

  it('processes faces while enhancements wait for each other', async () => {
    const { server, client } = await startGated();
    const slow = await photo(GATED);
    let enhanced = 0;
    const enhancements = [1, 2].map(async () => {
      await (await client.post('/v1/enhance', slow)).arrayBuffer();
      enhanced += 1;
    });
    await comeToGate(1);
    expect((await client.post('/v1/faces', await photo())).status).toBe(200);
    expect(enhanced).toBe(0);
    openGate();
    await Promise.all(enhancements);
    await server.drain();
  });
});

describe('a stuck worker', () => {
  it('is given up after the time limit, and replaced', async () => {
    const server = await start({ WORKERS: '1', REQUEST_TIMEOUT_MS: '600' });
    const client = clientOf(server);
    await server.ready;
    const stuck = client.post('/v1/faces', await photo({ r: 250 }));
    expect(await failureOf(await stuck)).toEqual({ status: 504, code: 'TIMEOUT', reason: 'running' });
    // The time limit is short for a busy machine, too: a photo that is too late is sent again.
    const image = await photo();
    await eventually(async () => (await client.post('/v1/faces', image)).status === 200);
    await server.drain();
  });

  it('in native code, which nobody may interrupt, is given up and replaced too', async () => {
    const server = await start({ WORKERS: '1', REQUEST_TIMEOUT_MS: '600' });
    const client = clientOf(server);
    await server.ready;
    const stuck = client.post('/v1/faces', await photo({ r: 251 }));
    expect(await failureOf(await stuck)).toMatchObject({ status: 504, reason: 'running' });
    // The time limit is short for a busy machine, too: a photo that is too late is sent again.
    const image = await photo();
    await eventually(async () => (await client.post('/v1/faces', image)).status === 200);
    // Until the thread has come out of it and ended itself.
    await server.drain();
  });

  it('is not what a slow enhancement is that still makes progress', async () => {
    const server = await start({ WORKERS: '1', REQUEST_TIMEOUT_MS: '5000' });
    const client = clientOf(server);
    await server.ready;
    const response = await client.post('/v1/enhance', await photo({ r: 253 }));
    expect(splitEnhancement(new Uint8Array(await response.arrayBuffer())).lines.at(-1)).toMatchObject({
      upscaler: 'stand-in',
    });
    await server.drain();
  });
});

describe('draining', () => {
  it('finishes what the service has, refuses what comes, then stops listening', async () => {
    const { server, client } = await startGated({ WORKERS: '1' });
    const slow = await photo(GATED);
    const taken = [1, 2].map(() => client.post('/v1/faces', slow));
    await eventually(async () => (await client.health()).queued === 1);
    const drained = server.drain();
    expect(await client.health()).toMatchObject({ http: 503, status: 'draining' });
    const refused = await client.post('/v1/faces', await photo());
    expect(await failureOf(refused)).toEqual({ status: 503, code: 'OVERLOADED', reason: 'draining' });
    openGate();
    for (const response of await Promise.all(taken)) expect(response.status).toBe(200);
    await drained;
    await expect(client.health()).rejects.toThrow();
  });
});

it('a client that goes away in the middle of its photo does no harm', async () => {
  const server = await start({ WORKERS: '1' });
  const client = clientOf(server);
  await server.ready;
  const half: ClientRequest = httpRequest({
    host: '127.0.0.1',
    port: server.port,
    method: 'POST',
    path: '/v1/faces',
    headers: { 'x-inference-secret': SECRET, 'content-length': 1_000 },
  });
  half.on('error', () => undefined);
  half.write(Buffer.alloc(500));
  await new Promise((resolve) => setTimeout(resolve, 100));
  half.destroy();
  expect((await client.post('/v1/faces', await photo())).status).toBe(200);
  await server.drain();
});

/** JSON lines up to the one that tells how many bytes of PNG follow it. */
function splitEnhancement(body: Uint8Array) {
  const lines: unknown[] = [];
  let from = 0;
  for (;;) {
    const end = body.indexOf(10, from);
    if (end < 0) throw new Error('the stream has no result');
    const line = JSON.parse(Buffer.from(body.subarray(from, end)).toString()) as Record<string, unknown>;
    lines.push(line);
    from = end + 1;
    if (typeof line.byteLength === 'number') return { lines, png: body.subarray(from, from + line.byteLength) };
  }
}
