import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, expect, it } from 'vitest';
import { call } from '../../fixtures/call.ts';
import { migrate } from '../../fixtures/migrate.ts';
import worker from '../../main.ts';
import { dyingAt } from './dying-env.ts';
import { type Staff, staffOf } from './staff.ts';

let staff: Staff;

beforeAll(async () => {
  staff = await staffOf(await migrate(), 'org-health', ['event_camera']);
});

async function healthBy(changed: Env): Promise<[number, unknown]> {
  const request = new Request('http://localhost/events-service/healthz', { headers: staff.bearer });
  const wire = request as Parameters<NonNullable<typeof worker.fetch>>[0];
  const response = await worker.fetch?.(wire, changed, createExecutionContext());
  return [response?.status ?? 0, await response?.json()];
}

it('GET /health answers {code: 200}', async () => {
  expect((await staff.ask('GET /health')).body).toEqual({ code: 200 });
});

it('GET /healthz and /v1/healthz answer healthy, with ok for each service', async () => {
  for (const path of ['/healthz', '/v1/healthz']) {
    const { status, body } = await staff.ask(`GET ${path}`);
    expect([status, body]).toEqual([
      200,
      { status: 'healthy', services: { gateway: 'ok', ingest: 'ok', embed: 'ok', enhance: 'ok' } },
    ]);
  }
});

it('without its models it is degraded', async () => {
  const [status, body] = await healthBy({ ...env, INFERENCE_URL: 'http://127.0.0.1:9' });
  expect([status, body]).toMatchObject([200, { status: 'degraded', services: { ingest: 'ok', embed: 'unreachable' } }]);
});

it('without its storage it is unhealthy, with 503', async () => {
  const [status, body] = await healthBy(dyingAt(0, 'before').env);
  expect([status, body]).toMatchObject([503, { status: 'unhealthy', services: { ingest: 'unreachable' } }]);
});

it('all three require a bearer', async () => {
  for (const path of ['/health', '/healthz', '/v1/healthz'])
    expect((await call(`GET /events-service${path}`)).status).toBe(401);
});
