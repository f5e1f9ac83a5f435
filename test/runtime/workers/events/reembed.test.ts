import { env } from 'cloudflare:workers';
import { beforeEach, expect, it } from 'vitest';
import { reembedStep } from '../../../../application/events/collections/reembed-step.ts';
import { startReembedding } from '../../../../application/events/collections/reembedding.ts';
import type { EventWork } from '../../../../application/events/event-work.ts';
import { eventsDatabase } from '../../../../data/events/database.ts';
import { collections } from '../../../../data/events/schema.ts';
import { type Answer, codeOf } from '../../fixtures/call.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { type Staff, staffOf, venueOf } from './staff.ts';
import { faceOf, imageOf } from './test-image.ts';

interface Reembedding {
  readonly status: string;
  readonly faces: readonly { readonly version: string; readonly faces: number }[];
  readonly remaining: number;
}

let staff: Staff;
let tenants = 0;

beforeEach(async () => {
  staff = await staffOf(await migrate(), `org-reembed-${tenants++}`);
});

const useModel = (version: string) => fetch(`${env.INFERENCE_URL}/models?tenant=${staff.owner}&version=${version}`);
const detailsOf = ({ body }: Answer) => (body as { error: { details: Record<string, unknown> } }).error.details;

async function store(...people: string[]): Promise<void> {
  const image = imageOf({ faces: people.map((person, at) => faceOf(person, at)) });
  expect((await staff.send('POST /v1/faces', { image, collection: 'people' })).status).toBe(200);
}

const search = (person: string, collection = 'people') =>
  staff.send('POST /v1/search', { image: imageOf({ faces: [faceOf(person)] }), collection });

async function matchesOf(person: string, collection = 'people'): Promise<{ face_id: string; metadata: unknown }[]> {
  const { body } = await search(person, collection);
  return (body as { matches: { face_id: string; metadata: unknown }[] }).matches;
}

async function register(eventId: string, person: string): Promise<void> {
  const registered = await staff.send(`POST /register-attendee/${eventId}`, {
    name: person,
    email: `${person}@example.com`,
    photo: imageOf({ faces: [faceOf(person)] }),
    consent: 'true',
    consent_text: 'I agree.',
  });
  expect(registered.status).toBe(201);
}

async function reembedded(collection = 'people'): Promise<Reembedding> {
  for (;;) {
    const { body } = await staff.ask(`GET /v1/collections/${collection}/reembed`);
    if ((body as Reembedding).status === 'idle') return body as Reembedding;
    await scheduler.wait(20);
  }
}

it('a search by another model than all vectors of a collection is refused, and says which models it holds', async () => {
  await store('ana');
  await useModel('2');
  const answer = await search('ana');
  expect([answer.status, codeOf(answer)]).toEqual([409, 'CONFLICT']);
  expect(detailsOf(answer)).toMatchObject({ reason: 'other_model', models: [{ name: 'stand-in', version: '1' }] });
});

it('while faces wait for the model of now nobody is found by it; a search has them embedded', async () => {
  await store('ana');
  await useModel('2');
  await store('bo');
  for (const person of ['bo', 'ana']) expect(detailsOf(await search(person))).toMatchObject({ reason: 'other_model' });
  expect(await reembedded()).toMatchObject({ faces: [{ version: '2', faces: 2 }] });
  for (const person of ['bo', 'ana']) expect(await matchesOf(person)).toHaveLength(1);
});

it('a face that can be embedded no more is passed over, and hinders no search', async () => {
  await store('ana');
  const before = await env.EVENT_IMAGES.list();
  await env.EVENT_IMAGES.delete(before.objects.map(({ key }) => key));
  await store('cleo');
  await useModel('2');
  await store('bo');
  await staff.ask('POST /v1/collections/people/reembed');
  expect(await reembedded()).toMatchObject({ remaining: 1 });
  for (const person of ['bo', 'cleo']) expect(await matchesOf(person)).toHaveLength(1);
  expect(await matchesOf('ana')).toEqual([]);
  await useModel('3');
  expect(detailsOf(await search('bo'))).toMatchObject({ reason: 'other_model' });
});

it('a collection is embedded again from its photos, and its faces keep their ids', async () => {
  for (let photo = 0; photo < 10; photo++) await store(`left ${photo}`, `right ${photo}`);
  const [before] = await matchesOf('left 7');
  await useModel('2');
  const started = await staff.ask('POST /v1/collections/people/reembed');
  expect(started.status).toBe(202);
  expect(await reembedded()).toMatchObject({ remaining: 0, faces: [{ version: '2', faces: 20 }] });
  expect(await matchesOf('left 7')).toEqual([{ ...before, similarity: expect.closeTo(1, 5) }]);
});

it('a collection moves to a model whose vectors are wider', async () => {
  await store('ana', 'bo');
  const [before] = await matchesOf('ana');
  await fetch(`${env.INFERENCE_URL}/models?tenant=${staff.owner}&version=2&dimensions=192`);
  expect(detailsOf(await search('ana'))).toMatchObject({ reason: 'other_model', models: [{ dimensions: 128 }] });
  await staff.ask('POST /v1/collections/people/reembed');
  expect(await reembedded()).toMatchObject({ remaining: 0, faces: [{ version: '2', faces: 2 }] });
  expect(await matchesOf('ana')).toEqual([{ ...before, similarity: expect.closeTo(1, 5) }]);
});

it('an attendee is recognized after it as before', async () => {
  const { eventId } = await venueOf(staff);
  await register(eventId, 'ana');
  const [before] = await matchesOf('ana', eventId);
  await useModel('2');
  await staff.ask(`POST /v1/collections/${eventId}/reembed`);
  await reembedded(eventId);
  const [after] = await matchesOf('ana', eventId);
  expect(after?.metadata).toEqual(before?.metadata);
});

it('a frame that comes before it is done sets it going, and is to be sent again', async () => {
  const { eventId, cameraId } = await venueOf(staff);
  await staff.send('POST /v1/faces', { image: imageOf({ faces: [faceOf('ana')] }), collection: eventId });
  await useModel('2');
  const frame = { image: imageOf({ faces: [faceOf('ana')] }), captured_at: new Date().toISOString() };
  const answer = await staff.send(`POST /cameras/${cameraId}/frames`, frame);
  expect([answer.status, detailsOf(answer).reason]).toEqual([503, 'other_model']);
  await reembedded(eventId);
  expect((await staff.send(`POST /cameras/${cameraId}/frames`, frame)).status).toBe(200);
});

it('one who registers before any frame comes hides nobody who registered by another model', async () => {
  const { eventId, cameraId } = await venueOf(staff);
  await register(eventId, 'ana');
  await useModel('2');
  await register(eventId, 'bo');
  const frame = { image: imageOf({ faces: [faceOf('ana')] }), captured_at: new Date().toISOString() };
  const answer = await staff.send(`POST /cameras/${cameraId}/frames`, frame);
  expect([answer.status, detailsOf(answer).reason]).toEqual([503, 'other_model']);
  await reembedded(eventId);
  const taken = await staff.send(`POST /cameras/${cameraId}/frames`, frame);
  expect(taken).toMatchObject({ status: 200, body: { faces: [{ match: { name: 'ana' } }] } });
});

it('a step delivered twice, also at once, embeds each face once', async () => {
  await store('ana', 'bo');
  await useModel('2');
  const work: EventWork = {
    type: 'reembed',
    tenant: staff.owner,
    organization: staff.owner,
    requestId: 'twice',
    collection: 'people',
    after: '',
  };
  const steps = await Promise.all([reembedStep(env, work), reembedStep(env, work)]);
  expect(steps).toEqual([{ type: 'done' }, { type: 'done' }]);
  await reembedStep(env, work);
  expect(await matchesOf('ana')).toHaveLength(1);
  const { body } = await staff.ask('GET /v1/collections/people/faces');
  expect((body as { faces: unknown[] }).faces).toHaveLength(2);
});

it('goes on where an interrupted job stopped', async () => {
  await store('ana');
  await useModel('2');
  // The job that has it did its last step long ago.
  await eventsDatabase(env.EVENTS_DB).update(collections).set({ reembeddingAt: 1 });
  await staff.ask('POST /v1/collections/people/reembed');
  expect(await reembedded()).toMatchObject({ remaining: 0 });
});

it('E-01: a photo that always takes too long is passed over after three times, and named as failed', async () => {
  for (const person of ['ana', 'slow', 'bo']) await store(person);
  await useModel('2');
  const tries = { slow: 0, steps: 0 };
  const forward = async (request: Request) => {
    const { pathname, search } = new URL(request.url);
    const body = request.method === 'POST' ? await request.arrayBuffer() : null;
    if (body !== null && new TextDecoder().decode(body).includes('slow')) {
      tries.slow += 1;
      throw new DOMException('too long', 'TimeoutError');
    }
    const { method, headers } = request;
    return fetch(new URL(pathname + search, env.INFERENCE_URL), { method, headers, body });
  };
  const waiting: EventWork[] = [
    {
      type: 'reembed',
      tenant: staff.owner,
      organization: staff.owner,
      requestId: 'slow',
      collection: 'people',
      after: '',
    },
  ];
  const slowEnv = {
    ...env,
    INFERENCE_URL: '',
    INFERENCE: { idFromName: (name: string) => name, get: () => ({ fetch: forward }) } as unknown as Env['INFERENCE'],
    EVENT_REEMBED: { send: async (work: EventWork) => void waiting.push(work) } as unknown as Env['EVENT_REEMBED'],
  };
  for (let work = waiting.shift(); work !== undefined && tries.steps < 20; work = waiting.shift()) {
    tries.steps += 1;
    if (work.type === 'reembed') expect(await reembedStep(slowEnv, work)).toEqual({ type: 'done' });
  }
  expect(tries).toEqual({ slow: 3, steps: 4 });
  const { body } = await staff.ask('GET /v1/collections/people/reembed');
  expect(body).toMatchObject({ status: 'idle', remaining: 1, failed: 1 });
  for (const person of ['ana', 'bo']) expect(await matchesOf(person)).toHaveLength(1);
});

it('is another tenant’s neither to start nor to see', async () => {
  await store('ana');
  const stranger = await staffOf(await migrate(), 'org-other-reembed');
  for (const method of ['POST', 'GET'])
    expect((await stranger.ask(`${method} /v1/collections/people/reembed`)).status).toBe(404);
});

it('four collections of a tenant are embedded at once, the others one after another in the order asked for', async () => {
  const names = Array.from({ length: 6 }, (_, at) => `group-${at}`);
  for (const name of names) {
    const image = imageOf({ faces: [faceOf(name)] });
    expect((await staff.send('POST /v1/faces', { image, collection: name })).status).toBe(200);
  }
  await useModel('2');
  const sent: EventWork[] = [];
  // Their messages are held back: none of them ends meanwhile.
  const held = { ...env, EVENT_REEMBED: { send: async (work: EventWork) => void sent.push(work) } } as unknown as Env;
  const caller = { tenant: staff.owner, organization: staff.owner, requestId: 'request' };
  const collectionsSent = () => sent.flatMap((work) => (work.type === 'reembed' ? [work.collection] : []));
  for (const name of [...names, ...names]) expect((await startReembedding(held, caller, name))?.isRunning).toBe(true);
  expect(collectionsSent()).toEqual(names.slice(0, 4));
  const step = (at: number) => reembedStep(held, sent[at] as Extract<EventWork, { type: 'reembed' }>);
  await step(0);
  expect(collectionsSent()).toEqual([...names.slice(0, 4), names[0]]);
  await step(4);
  expect(collectionsSent().slice(5)).toEqual([names[4]]);
  expect((await startReembedding(held, caller, names[5]!))?.isRunning).toBe(true);
  expect(sent).toHaveLength(6);
});
