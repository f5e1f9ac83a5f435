import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, expect, it } from 'vitest';
import { codeOf } from '../../fixtures/call.ts';
import { migrate } from '../../fixtures/migrate.ts';
import worker from '../../main.ts';
import { type Staff, staffOf, staffWith } from './staff.ts';
import { faceOf, imageOf, type TestImage } from './test-image.ts';

let staff: Staff;

beforeAll(async () => {
  staff = await staffOf(await migrate(), 'org-inference');
});

const upload = (image: Partial<TestImage>, headers = {}) =>
  staff.send('POST /v1/faces', { image: imageOf(image), collection: 'inference' }, headers);

async function requestsOf(image: string): Promise<{ headers: Record<string, string> }[]> {
  const response = await fetch(`${env.INFERENCE_URL}/requests?image=${image}`);
  return response.json();
}

it('passes organization and tenant on from the claims, never from the client', async () => {
  const id = crypto.randomUUID();
  const forged = { 'x-org-id': 'org-other', 'x-tenant-id': 'org-other', 'x-inference-secret': 'guess' };
  await upload({ id }, { ...forged, 'x-request-id': 'request-of-mine' });
  const [request] = await requestsOf(id);
  expect(request?.headers).toMatchObject({
    'x-org-id': 'org-inference',
    'x-tenant-id': 'org-inference',
    'x-request-id': 'request-of-mine',
  });
});

it('C-02: names each tenant of an organization for itself downstream, by the claim that its tokens carry', async () => {
  const named = async (tenant: string) => {
    const id = crypto.randomUUID();
    const image = imageOf({ id, faces: [faceOf('ana')] });
    const by = await staffWith(staff, tenant);
    const answers = await Promise.all([
      by.send('POST /v1/faces', { image, collection: 'claims' }),
      by.send('POST /v1/weapons', { image }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const requests = await requestsOf(id);
    expect(requests).toHaveLength(2);
    return requests.map(({ headers }) => [headers['x-org-id'], headers['x-tenant-id']]);
  };
  const of = (tenant: string) => ['org-inference', tenant];
  expect(await named('east')).toEqual([of('org-inference/east'), of('org-inference/east')]);
  expect(await named('west')).toEqual([of('org-inference/west'), of('org-inference/west')]);
  expect(await named('org-inference')).toEqual([of('org-inference'), of('org-inference')]);
});

it('repeats an analysis whose container was killed mid-photo, once', async () => {
  const id = crypto.randomUUID();
  const answer = await upload({ id, faces: [faceOf('ana')], fault: { kind: 'killed', times: 1 } });
  expect(answer.status).toBe(200);
  expect(await requestsOf(id)).toHaveLength(2);
});

it('answers 503 and stores nothing when the container stays away', async () => {
  const before = (await env.EVENT_IMAGES.list()).objects.length;
  const answer = await upload({ faces: [faceOf('ana')], fault: { kind: 'killed' } });
  expect([answer.status, codeOf(answer)]).toEqual([503, 'SERVICE_UNAVAILABLE']);
  expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
  expect((await env.EVENT_IMAGES.list()).objects).toHaveLength(before);
});

it('passes on when to come again to a container at its limit', async () => {
  const answer = await upload({ fault: { kind: 'code', code: 'OVERLOADED' } });
  expect([answer.status, codeOf(answer), answer.headers.get('retry-after')]).toEqual([503, 'SERVICE_UNAVAILABLE', '3']);
});

it('calls no defect of the container one of the client', async () => {
  for (const code of ['UNAUTHORIZED', 'VALIDATION_ERROR', 'NOT_FOUND', 'INTERNAL_ERROR', 'TIMEOUT'] as const)
    expect(codeOf(await upload({ fault: { kind: 'code', code } }))).toBe('SERVICE_UNAVAILABLE');
});

it('answers weapons as they were detected', async () => {
  const weapons = [{ class: 'Knife', confidence: 0.9, bbox: [1, 2, 3, 4] }] as const;
  const armed = await staff.send('POST /v1/weapons', { image: imageOf({ weapons }) });
  expect(armed.body).toEqual({ detections: weapons, weapon_detected: true });
  const unarmed = await staff.send('POST /v1/weapons', { image: imageOf({}) });
  expect(unarmed.body).toEqual({ detections: [], weapon_detected: false });
});

it('never calls an image free of weapons without a model: 503 MODEL_UNAVAILABLE', async () => {
  const fault = { kind: 'code', code: 'MODEL_UNAVAILABLE' } as const;
  const answer = await staff.send('POST /v1/weapons', { image: imageOf({ fault }) });
  expect([answer.status, codeOf(answer)]).toEqual([503, 'MODEL_UNAVAILABLE']);
});

it('is asked through the container binding where no address is set', async () => {
  const id = crypto.randomUUID();
  const form = new FormData();
  form.append('image', imageOf({ id, faces: [faceOf('ana')] }));
  form.append('collection', 'bound');
  const forward = (request: Request) => {
    const { pathname, search } = new URL(request.url);
    return fetch(new Request(new URL(pathname + search, env.INFERENCE_URL), request));
  };
  const containers = { idFromName: (name: string) => name, get: () => ({ fetch: forward }) };
  const request = new Request('http://localhost/events-service/v1/faces', {
    method: 'POST',
    body: form,
    headers: staff.bearer,
  });
  const response = await worker.fetch?.(
    request as Parameters<NonNullable<typeof worker.fetch>>[0],
    { ...env, INFERENCE_URL: '', INFERENCE: containers as unknown as Env['INFERENCE'] },
    createExecutionContext(),
  );
  expect(await response?.json()).toMatchObject({ faces_detected: 1 });
  expect((await requestsOf(id))[0]?.headers).toMatchObject({ 'x-tenant-id': 'org-inference' });
});
