import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';

/** Plays ffmpeg: writes the JPEG files named in FRAMES to stdout in uneven pieces, then ends. */
const PLAYER = `#!/usr/bin/env node
const { readFileSync } = require('node:fs');
const bytes = Buffer.concat(process.env.FRAMES.split(',').map((path) => readFileSync(path)));
let at = 0;
const step = () => {
  if (at >= bytes.length) return;
  process.stdout.write(bytes.subarray(at, at + 301));
  at += 301;
  setTimeout(step, 2);
};
step();
`;

const folder = mkdtempSync(join(tmpdir(), 'camera-agent-'));
const taken: { query: URLSearchParams; token: string; bytes: Buffer }[] = [];
let refusals: number[] = [];
let tokens = 0;
let eventsUrl = '';
const frames: Buffer[] = [];

const server = createServer(async (request, response) => {
  const body = await bodyOf(request);
  if (request.url?.startsWith('/token'))
    return answer(response, 200, { access_token: `token-${++tokens}`, expires_in: 7200 });
  const refusal = refusals.shift();
  if (refusal !== undefined)
    return answer(response, refusal, { error: { code: 'X', message: 'not now', details: {} } });
  const url = new URL(request.url ?? '', 'http://events');
  expect([request.method, url.pathname]).toEqual(['POST', '/cameras/cam-1/frames']);
  taken.push({ query: url.searchParams, token: request.headers.authorization ?? '', bytes: body });
  answer(response, 201, {});
});

beforeAll(async () => {
  writeFileSync(join(folder, 'ffmpeg'), PLAYER, { mode: 0o755 });
  for (let i = 0; i < 4; i++) {
    const background = { r: 60 * i, g: 20, b: 200 - 40 * i };
    const jpeg = await sharp({ create: { width: 64 + i, height: 48, channels: 3, background } })
      .jpeg()
      .toBuffer();
    writeFileSync(join(folder, `${i}.jpg`), jpeg);
    frames.push(jpeg);
  }
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  eventsUrl = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
});

afterAll(() => {
  server.close();
});

it('sends every frame of a stream once and in order, through refusals and an ended token', async () => {
  refusals = [503, 401, 429];
  const output = await runAgent();
  expect(taken.map(({ bytes }) => bytes)).toEqual(frames);
  expect(taken.map(({ token }) => token)).toEqual(Array(4).fill('Bearer token-2'));
  const times = taken.map(({ query }) => Date.parse(query.get('captured_at') ?? ''));
  expect(times).toEqual([...times].sort((a, b) => a - b));
  expect(output).not.toContain('client-secret');
});

it('goes on after a frame that the service refuses for good', async () => {
  taken.length = 0;
  refusals = [400];
  expect(await runAgent()).toContain('frame_refused');
  expect(taken.map(({ bytes }) => bytes)).toEqual(frames.slice(1));
});

async function runAgent(): Promise<string> {
  const agent = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], {
    env: {
      ...process.env,
      EVENTS_URL: eventsUrl,
      TOKEN_URL: `${eventsUrl}/token`,
      CLIENT_ID: 'camera',
      CLIENT_SECRET: 'client-secret',
      CAMERA_ID: 'cam-1',
      SOURCE: join(folder, 'film.mp4'),
      FFMPEG: join(folder, 'ffmpeg'),
      FRAMES: frames.map((_, i) => join(folder, `${i}.jpg`)).join(','),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  agent.stdout.on('data', (chunk: Buffer) => {
    output += chunk;
  });
  const [code] = (await once(agent, 'exit')) as [number];
  expect(code).toBe(0);
  return output;
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json', ...(status === 429 ? { 'retry-after': '0' } : {}) });
  response.end(JSON.stringify(body));
}
