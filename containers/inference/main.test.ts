import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { readSettings } from './settings.ts';

// Processes that load models take long on a busy machine.
vi.setConfig({ testTimeout: 400_000 });

const SECRET = 'a secret of the test';
const MAIN = join(import.meta.dirname, 'main.ts');

/** Without a model but the embedded upscaler, it starts soonest. */
let models: string;
beforeAll(() => {
  models = mkdtempSync(join(tmpdir(), 'models-'));
  writeFileSync(join(models, 'models.json'), '{}');
});
afterAll(() => rmSync(models, { recursive: true }));

function run(environment: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, [MAIN], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { PATH: process.env.PATH, HOST: '127.0.0.1', PORT: '0', WORKERS: '1', ENGINE: 'production', ...environment },
  });
  const written = { text: '' };
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      written.text += chunk.toString();
    });
  return { child, written };
}

const ended = async (child: ChildProcess) => (await once(child, 'exit'))[0] as number;

it('on SIGTERM the process finishes the photo that it is on, logs it without secrets, and ends well', async () => {
  const { child, written } = run({ INFERENCE_SECRET: SECRET, MODELS_DIR: models });
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  const image = await sharp({ create: { width: 240, height: 180, channels: 3, background: '#246' } })
    .png()
    .toBuffer();
  const headers = {
    'x-inference-secret': SECRET,
    'x-request-id': 'r-1',
    'x-org-id': 'org-1',
    'x-tenant-id': 'tenant-1',
  };
  const response = await fetch(`http://127.0.0.1:${port}/v1/enhance?upscale=4`, {
    method: 'POST',
    headers,
    body: new Uint8Array(image),
  });
  const exit = ended(child);
  child.kill('SIGTERM');
  const body = Buffer.from(await response.arrayBuffer());
  expect(body.subarray(-8).toString('latin1')).toContain('IEND');
  expect(await exit).toBe(0);
  const lines = written.text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines.find(({ event }) => event === 'request')).toMatchObject({
    request_id: 'r-1',
    org: 'org-1',
    tenant: 'tenant-1',
    route: '/v1/enhance',
    status: 200,
    duration_ms: expect.any(Number),
  });
  expect(written.text).not.toContain(SECRET);
});

it('it does not start without models.json, and says why', async () => {
  const { child, written } = run({ INFERENCE_SECRET: SECRET, MODELS_DIR: join(models, 'nowhere') });
  expect(await ended(child)).toBe(1);
  expect(written.text).toContain('models.json');
});

it.each([
  [{ INFERENCE_SECRET: undefined }, 'INFERENCE_SECRET'],
  [{ INFERENCE_SECRET: 'too short' }, '16'],
  [{ ENGINE: 'other' }, 'ENGINE=other'],
  [{ ENGINE: 'production' }, 'MODELS_DIR'],
  [{ WORKERS: '0' }, 'WORKERS=0'],
  [{ PORT: 'http' }, 'PORT=http'],
])('settings that are wrong are named: %o', (environment, named) => {
  expect(() => readSettings({ INFERENCE_SECRET: SECRET, ...environment })).toThrow(named);
});
