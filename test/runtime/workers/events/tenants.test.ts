import { env } from 'cloudflare:workers';
import { uuidv7 } from 'uuidv7';
import { beforeAll, describe, expect, it } from 'vitest';
import { eventsDatabase } from '../../../../data/events/database.ts';
import { sealCandidate } from '../../../../data/events/reviews/review-candidate.ts';
import { matchReviews } from '../../../../data/events/schema.ts';
import type { RegisteredRoute } from '../../../../workers/middleware/registered-route.ts';
import { codeOf } from '../../fixtures/call.ts';
import { profiles } from '../../fixtures/profiles.ts';
import type { SignedIn } from '../../fixtures/sign-in.ts';
import { ask, bodyOf, createAttendee, createVenue, signedIn, startEventsService, type Venue } from './fixtures.ts';
import { recordSightings } from './record-sightings.ts';

const TENANT = 'org-own';
const START = Date.parse('2026-06-01T10:00:00Z');
const MATCH_RULE = { match_threshold: 0.7, review_threshold: null, match_margin: null };

let admin: SignedIn;
let stranger: SignedIn;
let venue: Venue;
let ids: Ids;

/** Of the resources of one tenant, which another asks for. */
interface Ids {
  readonly event: string;
  readonly room: string;
  readonly camera: string;
  readonly attendee: string;
  readonly entry: string;
  readonly invite: string;
  readonly review: string;
}

beforeAll(async () => {
  await startEventsService();
  admin = await signedIn(TENANT, 'event_admin');
  stranger = await signedIn('org-strange', 'event_admin');
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
  ids = { event, room, camera: cameras.entry.id, attendee, entry: entries[0]!.id, invite: invite.id, review };
});

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

/** Query or body by which a route names its object; the path parameters are filled in beside. */
const NAMED_BY: Readonly<
  Record<string, { readonly query?: (of: Ids) => string; readonly json?: (of: Ids) => object }>
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
};

/** Routes of the tenant’s own lists and use, of the roles that all share, and of leaving. */
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
];

/** Multipart forms and collections: their own tests ask for them across tenants. */
const ELSEWHERE = /^(post \/cameras\/.*frames|post \/register-attendee|.* \/v1\/|get \/health)/;

/** Of pictures that this test does not store. */
const IMAGES = /photo_id|\/reviews\/\{id\}\//;

const objectRoutes = profiles.events.routes
  .map((route): [string, RegisteredRoute] => [`${route.method} ${route.path}`, route])
  .filter(([name]) => !OF_NO_OBJECT.includes(name) && !ELSEWHERE.test(name));

function objectOf(path: string, { room, camera, review, event }: Ids): string {
  const [, first] = path.split('/');
  return first === 'rooms' ? room : first === 'cameras' ? camera : first === 'reviews' ? review : event;
}

function targetOf({ method, path }: RegisteredRoute, of: Ids): string {
  const parameters: Readonly<Record<string, string>> = {
    id: objectOf(path, of),
    event_id: of.event,
    attendee_id: of.attendee,
    entry_id: of.entry,
    photo_id: of.attendee,
  };
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => parameters[name] ?? `no ${name} in this test`);
  const query = NAMED_BY[`${method} ${path}`]?.query;
  return `${method.toUpperCase()} ${filled}${query === undefined ? '' : `?${query(of)}`}`;
}

describe('another tenant’s', () => {
  it.each(objectRoutes)('%s is 404', async (name, route) => {
    const answer = await ask(stranger, targetOf(route, ids), NAMED_BY[name]?.json?.(ids));
    expect([answer.status, codeOf(answer)]).toEqual([404, 'NOT_FOUND']);
  });

  it('resources are as they were after all of that, and in no list of the stranger’s', async () => {
    const reads = objectRoutes.filter(([name, { method }]) => method === 'get' && !IMAGES.test(name));
    for (const [name, route] of reads) expect((await ask(admin, targetOf(route, ids))).status, name).toBe(200);
    expect(await bodyOf(ask(stranger, 'GET /events'))).toEqual({ upcoming: [], ongoing: [], past: [] });
    const { entries } = await bodyOf<{ entries: object[] }>(ask(admin, `GET /timeline?event_id=${ids.event}`));
    expect(entries).toMatchObject([{ id: ids.entry, name: 'Ada' }]);
    expect(await bodyOf(ask(admin, `GET /events/${ids.event}/reviews`))).toMatchObject({
      reviews: [{ id: ids.review }],
    });
    expect(await bodyOf(ask(admin, `GET /events/${ids.event}/invites`))).toMatchObject({
      invites: [{ status: 'pending' }],
    });
  });
});
