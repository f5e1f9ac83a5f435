import { env } from 'cloudflare:workers';
import { uuidv7 } from 'uuidv7';
import { beforeAll, describe, expect, it } from 'vitest';
import { eventsDatabase } from '../../../../data/events/database.ts';
import { sealCandidate } from '../../../../data/events/reviews/review-candidate.ts';
import { matchReviews } from '../../../../data/events/schema.ts';
import type { RegisteredRoute } from '../../../../workers/middleware/registered-route.ts';
import { codeOf } from '../../fixtures/call.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { profiles } from '../../fixtures/profiles.ts';
import { outsideReceiver } from '../../fixtures/webhook-receiver.ts';
import { ask, bodyOf, createAttendee, createVenue, type Venue } from './fixtures.ts';
import { recordSightings } from './record-sightings.ts';
import { type FormFields, type Staff, staffOf, staffWith } from './staff.ts';
import { faceOf, imageOf } from './test-image.ts';

/** As an outside provider has it: a tenant within an organization, by the claim of that name. */
const ORGANIZATION = 'org-own';
const CLAIM = 'east';
const TENANT = `${ORGANIZATION}/${CLAIM}`;
const START = Date.parse('2026-06-01T10:00:00Z');
const MATCH_RULE = { match_threshold: 0.7, review_threshold: null, match_margin: null };

const STRANGERS = [
  'another organization',
  'the organization itself',
  'the same person in another tenant',
  'an organization whose name is spelt like the tenant',
] as const;

type Stranger = (typeof STRANGERS)[number];

let admin: Staff;
let strangers: Readonly<Record<Stranger, Staff>>;
let venue: Venue;
let ids: Ids;

/** Of the resources of one tenant, which others ask for. */
interface Ids {
  readonly event: string;
  readonly room: string;
  readonly camera: string;
  readonly attendee: string;
  readonly entry: string;
  readonly invite: string;
  readonly review: string;
  readonly collection: string;
  readonly deletedCollection: string;
  readonly face: string;
  readonly job: string;
  readonly webhook: string;
  readonly delivery: string;
}

beforeAll(async () => {
  const db = await migrate();
  admin = await staffWith(await staffOf(db, ORGANIZATION), CLAIM);
  strangers = {
    'another organization': await staffOf(db, 'org-strange'),
    'the organization itself': await staffOf(db, ORGANIZATION),
    'the same person in another tenant': await staffWith(admin, 'west'),
    'an organization whose name is spelt like the tenant': await staffOf(db, TENANT),
  };
  venue = await createVenue(admin, TENANT);
  const attendee = await createAttendee(venue, TENANT, 'Ada');
  const sighting = { attendeeId: attendee, faceId: 'f', similarity: 0.9, capturedAt: START, frameId: 'f' };
  await recordSightings(eventsDatabase(env.EVENTS_DB), venue.key, venue.cameras.entry, [sighting]);
  const { eventId: event, roomId: room, cameras } = venue;
  const { entries } = await bodyOf<{ entries: { id: string }[] }>(ask(admin, `GET /timeline?event_id=${event}`));
  const invite = await bodyOf<{ id: string }>(
    ask(admin, `POST /events/${event}/invites`, { attendee_id: attendee }),
    201,
  );
  const review = await createReview(attendee);
  const face = await upload('east-faces');
  await upload('east-deleted');
  await bodyOf(ask(admin, 'DELETE /v1/collections/east-deleted'), 204);
  const deleted = await bodyOf<{ collections: { id: string }[] }>(ask(admin, 'GET /v1/deleted-collections'));
  const hook = { url: outsideReceiver().url, events: ['event.review_opened'] };
  const webhook = await bodyOf<{ webhook_id: string }>(ask(admin, 'POST /v1/webhooks', hook), 201);
  const test = ask(admin, `POST /v1/webhooks/${webhook.webhook_id}/test`, {});
  const delivery = await bodyOf<{ delivery_id: string }>(test);
  const job = await bodyOf<{ job_id: string }>(admin.send('POST /v1/enhance', { image: imageOf({}) }), 202);
  ids = {
    event,
    room,
    camera: cameras.entry.id,
    attendee,
    entry: entries[0]!.id,
    invite: invite.id,
    review,
    collection: 'east-faces',
    deletedCollection: deleted.collections[0]!.id,
    face,
    job: job.job_id,
    webhook: webhook.webhook_id,
    delivery: delivery.delivery_id,
  };
});

async function upload(collection: string): Promise<string> {
  const image = imageOf({ faces: [faceOf('Ada')] });
  const uploaded = admin.send('POST /v1/faces', { image, collection });
  return (await bodyOf<{ faces: { id: string }[] }>(uploaded)).faces[0]!.id;
}

async function createReview(attendeeId: string): Promise<string> {
  const { eventId, roomId, key, cameras } = venue;
  const [id, frameId] = [uuidv7(), uuidv7()];
  await eventsDatabase(env.EVENTS_DB)
    .insert(matchReviews)
    .values({
      id,
      tenant: TENANT,
      eventId,
      roomId,
      cameraId: cameras.entry.id,
      status: 'pending',
      candidateTag: await key.tag('attendee', attendeeId),
      sealedCandidate: await sealCandidate(key, frameId, { attendeeId, faceId: 'f', bbox: [0, 0, 100, 100] }),
      similarity: 0.55,
      frameId,
      frameIds: [frameId],
      firstSeenAt: START,
      lastSeenAt: START,
      createdAt: START,
    });
  return id;
}

/** Query, body or form by which a route names its object; the path parameters are filled in beside. */
const NAMED_BY: Readonly<
  Record<
    string,
    {
      readonly query?: (of: Ids) => string;
      readonly json?: (of: Ids) => object;
      readonly form?: (of: Ids) => FormFields;
    }
  >
> = {
  'get /rooms': { query: ({ event }) => `event_id=${event}` },
  'post /rooms': { json: ({ event }) => ({ event_id: event, name: 'Stage' }) },
  'get /cameras': { query: ({ room }) => `room_id=${room}` },
  'post /cameras': { json: ({ room }) => ({ room_id: room, name: 'Door', type: 'entry', source: 'rtsp://x' }) },
  'post /events/{id}/invites': { json: ({ attendee }) => ({ attendee_id: attendee }) },
  'put /events/{id}/invites': { json: ({ invite }) => ({ invite_id: invite, status: 'accepted' }) },
  'get /timeline': { query: ({ event }) => `event_id=${event}` },
  'post /timeline': {
    json: ({ event, room, attendee }) => ({
      event_id: event,
      room_id: room,
      type: 'entered',
      attendee_id: attendee,
      at: '2026-06-01T10:00:00Z',
      reason: 'seen',
    }),
  },
  'put /events/{id}/match-rule': { json: () => MATCH_RULE },
  'put /cameras/{id}/match-rule': { json: () => MATCH_RULE },
  'post /reviews/{id}/confirm': { json: () => ({}) },
  'post /reviews/{id}/reject': { json: () => ({}) },
  'post /timeline/{entry_id}/void': { json: () => ({ reason: 'not her' }) },
  'post /timeline/{entry_id}/restore': { json: () => ({ reason: 'it was' }) },
  'post /attendees/{event_id}/{attendee_id}/merge': {
    json: ({ attendee }) => ({ into: `${attendee}0`, reason: 'same' }),
  },
  'post /register-attendee/{event_id}': {
    form: () => ({
      photo: imageOf({ faces: [faceOf('Bo')] }),
      name: 'Bo',
      email: 'bo@example.com',
      consent: 'true',
      consent_text: 'I agree.',
    }),
  },
  'post /cameras/{id}/frames': { form: () => ({ image: adasFace(), captured_at: '2026-06-01T10:00:00Z' }) },
  'post /cameras/{id}/frames/batch': { form: () => ({ image: adasFace(), captured_at: '2026-06-01T10:00:00Z' }) },
  'patch /v1/webhooks/{id}': { json: () => ({ enabled: false }) },
  'post /v1/webhooks/{id}/replay': { json: () => ({ from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' }) },
  'post /v1/faces': { form: ({ event }) => ({ image: adasFace(), collection: event }) },
  'post /v1/search': { form: ({ collection }) => ({ image: adasFace(), collection }) },
};

function adasFace(): File {
  return imageOf({ faces: [faceOf('Ada')] });
}

/** Routes of the tenant’s own lists and use, of the roles and the schemas that all share, of images that are not kept, and of leaving. */
const OF_NO_OBJECT = [
  'get /events',
  'post /events',
  'get /events/deleted',
  'get /trail',
  'get /tenant/usage',
  'delete /tenant',
  'get /tenant/departure',
  'post /tenant/departure/stop',
  'get /permissions',
  'get /roles',
  'get /v1/collections',
  'get /v1/deleted-collections',
  'get /v1/webhooks',
  'post /v1/webhooks',
  'get /v1/webhook-events',
  'get /schemas/event.capacity_alert.json',
  'get /schemas/event.review_opened.json',
  'get /schemas/webhook.test.json',
  'post /v1/weapons',
  'post /v1/enhance',
  'get /health',
  'get /healthz',
  'get /v1/healthz',
];

/** Open to whoever has a link that a tenant was given for a completed job, and to nobody else. */
const BY_LINK = 'get /v1/enhance/{job_id}/result';

/** Of pictures that this test does not store. */
const IMAGES = /photo_id|\/reviews\/\{id\}\//;

/** What its tenant would find elsewhere: a list of deleted collections, and the state of work that it has not asked for. */
const NOT_READ_BACK = ['get /v1/collections/{name}/reembed'];

const objectRoutes = profiles.events.routes
  .map((route): [string, RegisteredRoute] => [`${route.method} ${route.path}`, route])
  .filter(([name]) => !OF_NO_OBJECT.includes(name) && name !== BY_LINK);

function objectOf(path: string, of: Ids): string {
  if (path.startsWith('/v1/faces')) return of.face;
  if (path.startsWith('/v1/deleted-collections')) return of.deletedCollection;
  if (path.startsWith('/v1/webhooks')) return of.webhook;
  const [, first] = path.split('/');
  return first === 'rooms' ? of.room : first === 'cameras' ? of.camera : first === 'reviews' ? of.review : of.event;
}

function targetOf({ method, path }: RegisteredRoute, of: Ids): string {
  const parameters: Readonly<Record<string, string>> = {
    id: objectOf(path, of),
    event_id: of.event,
    attendee_id: of.attendee,
    entry_id: of.entry,
    photo_id: of.attendee,
    user_id: admin.userId,
    name: of.collection,
    job_id: of.job,
    delivery_id: of.delivery,
  };
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = parameters[name];
    if (value === undefined) throw new Error(`no ${name} in this test`);
    return value;
  });
  const query = NAMED_BY[`${method} ${path}`]?.query;
  return `${method.toUpperCase()} ${filled}${query === undefined ? '' : `?${query(of)}`}`;
}

describe.each(STRANGERS)('C-02: what is of a tenant, asked for by %s', (who) => {
  it.each(objectRoutes)('%s is 404', async (name, route) => {
    const form = NAMED_BY[name]?.form;
    const target = targetOf(route, ids);
    const by = strangers[who];
    const answer = await (form === undefined
      ? ask(by, target, NAMED_BY[name]?.json?.(ids))
      : by.send(target, form(ids)));
    expect([answer.status, codeOf(answer)]).toEqual([404, 'NOT_FOUND']);
  });

  it('is in no list, and its leaving is nobody’s business', async () => {
    const by = strangers[who];
    await bodyOf(ask(admin, 'DELETE /tenant', { confirm: TENANT }), 202);
    for (const target of ['GET /tenant/departure', 'POST /tenant/departure/stop'])
      expect((await ask(by, target)).status, target).toBe(404);
    expect((await ask(by, 'DELETE /tenant', { confirm: TENANT })).status).toBe(400);
    await bodyOf(ask(admin, 'POST /tenant/departure/stop'), 204);
    expect(await bodyOf(ask(by, 'GET /events'))).toEqual({ upcoming: [], ongoing: [], past: [] });
    const lists = ['/events/deleted', '/trail', '/v1/collections', '/v1/deleted-collections', '/v1/webhooks'];
    for (const list of lists) {
      const read = JSON.stringify(await bodyOf(ask(by, `GET ${list}`)));
      for (const id of Object.values(ids)) expect(read, list).not.toContain(id);
    }
  });
});

describe('what is of a tenant', () => {
  it('is as it was after all of that', async () => {
    const reads = objectRoutes.filter(
      ([name, { method }]) => method === 'get' && !IMAGES.test(name) && !NOT_READ_BACK.includes(name),
    );
    for (const [name, route] of reads) expect((await ask(admin, targetOf(route, ids))).status, name).toBe(200);
    const { entries } = await bodyOf<{ entries: object[] }>(ask(admin, `GET /timeline?event_id=${ids.event}`));
    expect(entries).toMatchObject([{ id: ids.entry, name: 'Ada' }]);
    expect(await bodyOf(ask(admin, `GET /events/${ids.event}/reviews`))).toMatchObject({
      reviews: [{ id: ids.review }],
    });
    expect(await bodyOf(ask(admin, `GET /events/${ids.event}/invites`))).toMatchObject({
      invites: [{ status: 'pending' }],
    });
    expect(await bodyOf(ask(admin, `GET /v1/collections/${ids.collection}/faces`))).toMatchObject({
      faces: [{ id: ids.face }],
    });
  });

  it('C-02: is answered to nobody of another tenant who sends the Idempotency-Key that made it', async () => {
    const again = strangers['the same person in another tenant'];
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const create = (by: Staff) => ask(by, 'POST /events', { name: 'Secret fair', date: '2026-06-02' }, headers);
    const made = await bodyOf<{ id: string }>(create(admin), 201);
    const answer = await create(again);
    expect([answer.status, answer.headers.get('idempotent-replayed')]).toEqual([201, null]);
    const { id } = answer.body as { id: string };
    expect(id).not.toBe(made.id);
    expect((await ask(admin, `GET /events/${id}`)).status).toBe(404);
    expect((await ask(again, `GET /events/${made.id}`)).status).toBe(404);
    expect(await bodyOf(create(admin), 201)).toEqual(made);
  });
});
