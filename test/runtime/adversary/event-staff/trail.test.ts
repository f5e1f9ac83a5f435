import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { deleteWholeCollection } from '../../../../application/events/collections/delete-whole-collection.ts';
import { shredExpired } from '../../../../application/events/retention/shred-expired.ts';
import { eventsDatabase } from '../../../../data/events/database.ts';
import { collections, erasures, events, staffTrail } from '../../../../data/events/schema.ts';
import { STAFF_ACTS } from '../../../../domain/events/staff-act.ts';
import { ACT_OF_ROUTE } from '../../../../workers/events/trail/staff-acts.ts';
import { type Answer, codeOf } from '../../fixtures/call.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { profiles } from '../../fixtures/profiles.ts';
import { type FormFields, type Staff, staffOf, type Venue, venueOf } from '../../workers/events/staff.ts';
import { faceOf, imageOf } from '../../workers/events/test-image.ts';

interface Entry {
  readonly id: string;
  readonly act: string;
  readonly actor: string;
  readonly event_id: string | null;
  readonly attendee_id: string | null;
  readonly object: string | null;
  readonly reason: string | null;
  readonly status: number | null;
}

const RULE = { match_threshold: 0.9, review_threshold: 0.6, match_margin: 0.05 };

let admin: Staff;
let second: Staff;
let operator: Staff;
let venue: Venue;
let ana: string;

beforeAll(async () => {
  const database = await migrate();
  admin = await staffOf(database, 'org-trail');
  second = await staffOf(database, 'org-trail');
  operator = await staffOf(database, 'org-trail', ['event_operator']);
  venue = await venueOf(admin);
  ana = await register('ana');
});

const db = () => eventsDatabase(env.EVENTS_DB);

async function idOf(answer: Promise<Answer>): Promise<string> {
  const { status, body } = await answer;
  if (status > 202) throw new Error(`${status}: ${JSON.stringify(body)}`);
  return (body as { id: string }).id;
}

const registration = (name: string): FormFields => ({
  name,
  email: `${name}@example.com`,
  photo: imageOf({ faces: [faceOf(name)] }),
  consent: 'true',
  consent_text: 'I agree.',
});
const register = (name: string) => idOf(operator.send(`POST /register-attendee/${venue.eventId}`, registration(name)));

async function trail(query = ''): Promise<readonly Entry[]> {
  const { status, body } = await admin.ask(`GET /trail?limit=1000${query}`);
  expect(status).toBe(200);
  return (body as { entries: readonly Entry[] }).entries;
}

/** The entries that an act leaves. */
async function leaves(act: () => Promise<Answer>): Promise<{ answer: Answer; entries: readonly Entry[] }> {
  const before = new Set((await trail()).map(({ id }) => id));
  const answer = await act();
  return { answer, entries: (await trail()).filter(({ id }) => !before.has(id)) };
}

async function aReview(): Promise<string> {
  const image = imageOf({ faces: [faceOf('ana', 0, { unlike: 0.4 })] });
  const captured = new Date(Date.now() - 600_000 + 120_000 * reviewsMade++).toISOString();
  await admin.send(`POST /cameras/${venue.cameraId}/frames`, { image, captured_at: captured });
  const { body } = await operator.ask(`GET /events/${venue.eventId}/reviews?limit=100`);
  const review = (body as { reviews: { id: string }[] }).reviews.at(-1);
  if (review === undefined) throw new Error('fixture: no review');
  return review.id;
}
let reviewsMade = 0;

const photo = () => imageOf({ faces: [faceOf('ana')] });
const PERSON = () => `/attendees/${venue.eventId}/${ana}`;
const EVENT = () => `/events/${venue.eventId}`;
const reason = { reason: 'as they asked' };
const entryOf = async () => {
  const body = { event_id: venue.eventId, room_id: venue.roomId, type: 'entered', attendee_id: ana };
  return idOf(operator.ask('POST /timeline', { json: { ...body, at: '2026-11-21T10:00:00Z', reason: 'seen' } }));
};
const anEvent = async () => (await venueOf(admin)).eventId;

/** By route: somebody who does it, once. */
const DONE: Readonly<Record<string, () => Promise<() => Promise<Answer>>>> = {
  'put /events/{id}/match-rule': async () => () => admin.ask(`PUT ${EVENT()}/match-rule`, { json: RULE }),
  'put /cameras/{id}/match-rule': async () => () =>
    admin.ask(`PUT /cameras/${venue.cameraId}/match-rule`, { json: RULE }),
  'put /cameras/{id}/credentials/{user_id}': async () => () =>
    admin.ask(`PUT /cameras/${venue.cameraId}/credentials/${operator.userId}`),
  'delete /cameras/{id}/credentials/{user_id}': async () => () =>
    admin.ask(`DELETE /cameras/${venue.cameraId}/credentials/${operator.userId}`),
  'delete /events/{id}': async () => {
    const id = await anEvent();
    return () => admin.ask(`DELETE /events/${id}`);
  },
  'post /events/{id}/restore': async () => {
    const id = await anEvent();
    await admin.ask(`DELETE /events/${id}`);
    return () => admin.ask(`POST /events/${id}/restore`);
  },
  'post /events/{id}/shred': async () => {
    const id = await anEvent();
    await admin.ask(`DELETE /events/${id}`);
    return () => second.ask(`POST /events/${id}/shred`);
  },
  'delete /tenant': async () => () => admin.ask('DELETE /tenant', { json: { confirm: 'org-trail' } }),
  'post /tenant/departure/stop': async () => {
    await admin.ask('DELETE /tenant', { json: { confirm: 'org-trail' } });
    return () => second.ask('POST /tenant/departure/stop');
  },
  'get /attendees/{event_id}': async () => () => operator.ask(`GET /attendees/${venue.eventId}`),
  'get /attendees/{event_id}/{attendee_id}': async () => () => operator.ask(`GET ${PERSON()}`),
  'get /attendees/{event_id}/{attendee_id}/export': async () => () => admin.ask(`GET ${PERSON()}/export`),
  'get /attendees/{event_id}/{attendee_id}/photos/{photo_id}': async () => {
    const { body } = await admin.ask(`GET ${PERSON()}/export`);
    const [first] = (body as { photos: { id: string }[] }).photos;
    return () => admin.ask(`GET ${PERSON()}/photos/${first?.id}`);
  },
  'delete /attendees/{event_id}/{attendee_id}': async () => {
    const id = await register('bo');
    return () => admin.ask(`DELETE /attendees/${venue.eventId}/${id}`);
  },
  'get /events/{id}/erasures': async () => () => operator.ask(`GET ${EVENT()}/erasures`),
  'post /attendees/{event_id}/{attendee_id}/keep': async () => {
    await admin.ask(`DELETE ${PERSON()}`);
    return () => operator.ask(`POST ${PERSON()}/keep`);
  },
  'post /attendees/{event_id}/{attendee_id}/merge': async () => {
    const id = await register('cy');
    return () =>
      operator.ask(`POST /attendees/${venue.eventId}/${id}/merge`, { json: { into: ana, reason: 'the same' } });
  },
  'delete /attendees/{event_id}/{attendee_id}/faces': async () => {
    const id = await register('di');
    return () => operator.ask(`DELETE /attendees/${venue.eventId}/${id}/faces`);
  },
  'post /register-attendee/{event_id}': async () => () =>
    operator.send(`POST /register-attendee/${venue.eventId}`, registration('ed')),
  'get /events/{id}/invites': async () => () => operator.ask(`GET ${EVENT()}/invites`),
  'post /events/{id}/invites': async () => () =>
    operator.ask(`POST ${EVENT()}/invites`, { json: { attendee_id: ana } }),
  'put /events/{id}/invites': async () => {
    const id = await register('flo');
    const invite = await idOf(operator.ask(`POST ${EVENT()}/invites`, { json: { attendee_id: id } }));
    return () => operator.ask(`PUT ${EVENT()}/invites`, { json: { invite_id: invite, status: 'accepted' } });
  },
  'get /timeline': async () => () => operator.ask(`GET /timeline?event_id=${venue.eventId}`),
  'post /timeline': async () => {
    const body = { event_id: venue.eventId, room_id: venue.roomId, type: 'exited', attendee_id: ana };
    return () => operator.ask('POST /timeline', { json: { ...body, at: '2026-11-21T11:00:00Z', reason: 'seen' } });
  },
  'post /timeline/{entry_id}/void': async () => {
    const id = await entryOf();
    return () => operator.ask(`POST /timeline/${id}/void`, { json: reason });
  },
  'post /timeline/{entry_id}/restore': async () => {
    const id = await entryOf();
    await operator.ask(`POST /timeline/${id}/void`, { json: reason });
    return () => operator.ask(`POST /timeline/${id}/restore`, { json: reason });
  },
  'get /events/{id}/corrections': async () => () => operator.ask(`GET ${EVENT()}/corrections`),
  'get /events/{id}/reviews': async () => () => operator.ask(`GET ${EVENT()}/reviews`),
  'get /reviews/{id}/frame': async () => {
    const id = await aReview();
    return () => operator.ask(`GET /reviews/${id}/frame`);
  },
  'get /reviews/{id}/candidate': async () => {
    const id = await aReview();
    return () => operator.ask(`GET /reviews/${id}/candidate`);
  },
  'post /reviews/{id}/confirm': async () => {
    const id = await aReview();
    return () => operator.ask(`POST /reviews/${id}/confirm`, { json: {} });
  },
  'post /reviews/{id}/reject': async () => {
    const id = await aReview();
    return () => operator.ask(`POST /reviews/${id}/reject`, { json: {} });
  },
  'post /v1/faces': async () => () => operator.send('POST /v1/faces', { image: photo(), collection: 'staff' }),
  'post /v1/search': async () => () => operator.send('POST /v1/search', { image: photo(), collection: venue.eventId }),
  'delete /v1/faces/{id}': async () => {
    const { body } = await operator.send('POST /v1/faces', { image: photo(), collection: venue.eventId });
    const [face] = (body as { faces: { id: string }[] }).faces;
    return () => operator.ask(`DELETE /v1/faces/${face?.id}`);
  },
  'get /v1/collections/{name}/faces': async () => () => operator.ask(`GET /v1/collections/${venue.eventId}/faces`),
  'delete /v1/collections/{name}': async () => {
    await operator.send('POST /v1/faces', { image: photo(), collection: 'going' });
    return () => admin.ask('DELETE /v1/collections/going');
  },
  'post /v1/deleted-collections/{id}/restore': async () => {
    await operator.send('POST /v1/faces', { image: photo(), collection: 'back' });
    await admin.ask('DELETE /v1/collections/back');
    const { body } = await admin.ask('GET /v1/deleted-collections');
    const found = (body as { collections: { id: string; name: string }[] }).collections.find(
      ({ name }) => name === 'back',
    );
    return () => admin.ask(`POST /v1/deleted-collections/${found?.id}/restore`);
  },
  'post /v1/enhance': async () => () => operator.send('POST /v1/enhance', { image: photo() }),
};

const OF_NO_EVENT = /departure|collection_|enhancement|faces_uploaded/;

describe('I-12: each route that changes or shows a person', () => {
  it('is known, with the act that it is, and no act is left without a route', () => {
    const routes = profiles.events.routes.map(({ method, path }) => `${method} ${path}`);
    const acting = routes.filter((route) => ACT_OF_ROUTE[route] !== null && ACT_OF_ROUTE[route] !== undefined);
    expect(Object.keys(DONE).toSorted()).toEqual(acting.toSorted());
    const ofNoRoute = ['photos_added', 'enhancement_link_made'];
    expect([...acting.map((route) => ACT_OF_ROUTE[route]), ...ofNoRoute].toSorted()).toEqual(STAFF_ACTS.toSorted());
  });

  it.each(Object.entries(DONE))('leaves exactly one entry: %s', async (route, prepared) => {
    const act = await prepared();
    const { answer, entries } = await leaves(act);
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    expect(entries).toHaveLength(1);
    const [entry] = entries;
    expect(entry).toMatchObject({ act: ACT_OF_ROUTE[route], status: answer.status });
    expect([admin, second, operator].map(({ userId }) => userId)).toContain(entry?.actor);
    const isOfEvent = !OF_NO_EVENT.test(entry?.act ?? '');
    expect(entry?.event_id).toEqual(isOfEvent ? expect.any(String) : null);
  });

  it('leaves no entry when it is refused, and one alone when it is repeated under its key', async () => {
    const refused = await leaves(() => operator.ask(`GET /attendees/${venue.eventId}/nobody`));
    expect([refused.answer.status, refused.entries]).toEqual([404, []]);
    const key = { 'idempotency-key': crypto.randomUUID() };
    const form = registration('gus');
    const twice = await leaves(async () => {
      await operator.send(`POST /register-attendee/${venue.eventId}`, form, key);
      return operator.send(`POST /register-attendee/${venue.eventId}`, form, key);
    });
    expect(twice.entries).toMatchObject([
      { act: 'attendee_registered', attendee_id: (twice.answer.body as { id: string }).id },
    ]);
  });

  it('tells who added a photo to a guest and who took it away', async () => {
    const guest = await register('jo');
    const another = imageOf({ faces: [faceOf('jo')] });
    const added = await leaves(() =>
      operator.send(`POST /register-attendee/${venue.eventId}`, { attendee_id: guest, photo: another }),
    );
    const actor = operator.userId;
    expect(added.entries).toMatchObject([{ act: 'photos_added', attendee_id: guest, event_id: venue.eventId, actor }]);
    const seen = await trail(`&event_id=${venue.eventId}`);
    expect(seen.every(({ event_id }) => event_id === venue.eventId)).toBe(true);
    expect((await operator.ask('GET /trail')).status).toBe(403);
    const stranger = await staffOf(await migrate(), 'org-other-trail');
    expect((await stranger.ask(`GET /trail?event_id=${venue.eventId}`)).body).toEqual({ entries: [] });
  });
});

describe('I-12: the trail', () => {
  it('tells who bound a camera to whom, and each frame who sent it', async () => {
    const guest = await register('liv');
    const captured_at = new Date(Date.now() - 3_600_000).toISOString();
    const path = `/cameras/${venue.cameraId}/credentials/${second.userId}`;
    const bound = await leaves(async () => {
      await admin.ask(`PUT ${path}`);
      const image = imageOf({ faces: [faceOf('liv')] });
      expect((await second.send(`POST /cameras/${venue.cameraId}/frames`, { image, captured_at })).status).toBe(200);
      return admin.ask(`DELETE ${path}`);
    });
    const object = `${venue.cameraId}/${second.userId}`;
    const by = { actor: admin.userId, object, event_id: venue.eventId };
    expect(bound.entries).toMatchObject([
      { act: 'camera_unbound', ...by },
      { act: 'camera_bound', ...by },
    ]);
    const { body } = await admin.ask(`GET /attendees/${venue.eventId}/${guest}/export`);
    expect(body).toMatchObject({ frames: [{ camera_id: venue.cameraId, sent_by: second.userId }] });
  });

  it('names nobody who was erased, also where they are asked for again, and keeps what was done', async () => {
    const id = await register('hal');
    const path = `/attendees/${venue.eventId}/${id}`;
    await operator.ask(`GET ${path}`);
    await admin.ask(`GET ${path}/export`);
    const before = await trail();
    expect(before.filter((entry) => entry.attendee_id === id)).toHaveLength(3);
    await admin.ask(`DELETE ${path}`);
    expect((await second.ask(`DELETE ${path}`)).status).toBe(204);
    for (const staff of [operator, admin]) expect((await staff.ask(`GET ${path}`)).status).toBe(404);
    expect(await db().$count(erasures, eq(erasures.attendeeId, id))).toBe(0);
    expect(JSON.stringify(await db().select().from(staffTrail))).not.toContain(id);
    const after = await trail();
    expect(after.map((entry) => entry.act)).toEqual([
      'attendee_erased',
      'attendee_erased',
      ...before.map(({ act }) => act),
    ]);
  });

  it('names no photo and no face of whoever was erased, since their ids follow from the attendee’s', async () => {
    const id = await register('kim');
    const path = `/attendees/${venue.eventId}/${id}`;
    const photosOf = async (person: string) => {
      const { body } = await admin.ask(`GET ${person}/export`);
      return body as { photos: { id: string }[]; faces: { id: string }[] };
    };
    const { photos, faces } = await photosOf(path);
    await admin.ask(`GET ${path}/photos/${photos[0]?.id}`);
    const image = imageOf({ faces: [faceOf('kim')] });
    await operator.send(`POST /register-attendee/${venue.eventId}`, { attendee_id: id, photo: image });
    const added = (await photosOf(path)).faces.find((face) => face.id !== faces[0]?.id);
    for (const face of [faces[0]?.id, added?.id])
      expect((await operator.ask(`DELETE /v1/faces/${face}`)).status).toBe(204);
    const before = await trail();
    expect(before.map(({ object }) => object)).toEqual(
      expect.arrayContaining([photos[0]?.id, faces[0]?.id, added?.id]),
    );
    await admin.ask(`DELETE ${path}`);
    expect((await second.ask(`DELETE ${path}`)).status).toBe(204);
    const left = JSON.stringify(await db().select().from(staffTrail));
    for (const gone of [id, photos[0]?.id, faces[0]?.id, added?.id]) expect(left).not.toContain(gone);
    expect((await trail()).slice(2).map(({ act }) => act)).toEqual(before.map(({ act }) => act));
  });

  it('names no face of whoever was merged into somebody who was erased', async () => {
    const [from, into] = [await register('lea'), await register('max')];
    const { body } = await admin.ask(`GET /attendees/${venue.eventId}/${from}/export`);
    const face = (body as { faces: { id: string }[] }).faces[0]?.id;
    expect((await operator.ask(`DELETE /v1/faces/${face}`)).status).toBe(204);
    const merge = { into, reason: 'the same' };
    expect((await operator.ask(`POST /attendees/${venue.eventId}/${from}/merge`, { json: merge })).status).toBe(200);
    for (const staff of [admin, second]) await staff.ask(`DELETE /attendees/${venue.eventId}/${into}`);
    expect(JSON.stringify(await db().select().from(staffTrail))).not.toContain(face);
  });

  it('names no collection that is gone, and one that has its name since', async () => {
    const name = 'friends-of-nora';
    const upload = () => operator.send('POST /v1/faces', { image: photo(), collection: name });
    await upload();
    await admin.ask(`DELETE /v1/collections/${name}`);
    const named = async () => (await trail()).filter(({ object }) => object === name).map(({ act }) => act);
    expect(await named()).toEqual(['collection_deleted', 'faces_uploaded']);
    const [gone] = await db().select().from(collections).where(eq(collections.deletedName, name));
    // As entries and collections of other moments.
    await db().update(staffTrail).set({ createdAt: 1 }).where(eq(staffTrail.object, name));
    await upload();
    if (gone === undefined) throw new Error('fixture: no deleted collection');
    await deleteWholeCollection(env, gone);
    expect(await named()).toEqual(['faces_uploaded']);
    expect((await trail()).filter(({ act }) => act === 'collection_deleted').length).toBeGreaterThan(0);
  });

  it('outlives an event that is shredded, without its attendees and reasons', async () => {
    const gone = await venueOf(admin);
    const form = registration('ivy');
    const id = await idOf(operator.send(`POST /register-attendee/${gone.eventId}`, form));
    const lax = { ...RULE, match_threshold: 0.5, review_threshold: 0.5, reason: 'ivy looks away' };
    expect((await admin.ask(`PUT /events/${gone.eventId}/match-rule`, { json: lax })).status).toBe(200);
    const written = await trail(`&event_id=${gone.eventId}`);
    expect(written).toMatchObject([{ reason: 'ivy looks away' }, { attendee_id: id }]);
    await admin.ask(`DELETE /events/${gone.eventId}`);
    await db().update(events).set({ shredAt: Date.now() }).where(eq(events.id, gone.eventId));
    await shredExpired(env);
    expect(await trail(`&event_id=${gone.eventId}`)).toMatchObject([
      { act: 'event_deleted' },
      { act: 'event_match_rule_set', reason: null },
      { act: 'attendee_registered', attendee_id: null },
    ]);
  });
});

describe('I-12: a threshold below the model’s own', () => {
  it.each([
    ['a match threshold of 0', { match_threshold: 0, review_threshold: 0, match_margin: null }],
    ['a review threshold', { match_threshold: null, review_threshold: 0.1, match_margin: null }],
    ['no margin', { match_threshold: null, review_threshold: null, match_margin: 0 }],
  ])('needs a reason: %s', async (_, rule) => {
    for (const of of [`events/${venue.eventId}`, `cameras/${venue.cameraId}`]) {
      expect(codeOf(await admin.ask(`PUT /${of}/match-rule`, { json: rule }))).toBe('VALIDATION_ERROR');
      const json = { ...rule, reason: 'a rehearsal' };
      const { answer, entries } = await leaves(() => admin.ask(`PUT /${of}/match-rule`, { json }));
      expect(answer.status).toBe(200);
      expect(entries).toMatchObject([{ reason: 'a rehearsal', event_id: venue.eventId }]);
    }
    const none = { match_threshold: null, review_threshold: null, match_margin: null };
    for (const of of [`events/${venue.eventId}`, `cameras/${venue.cameraId}`])
      expect((await admin.ask(`PUT /${of}/match-rule`, { json: none })).status).toBe(200);
  });
});
