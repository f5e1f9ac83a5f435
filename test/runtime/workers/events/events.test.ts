import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { DAY_MS } from '../../../../domain/calendar/durations.ts';
import { codeOf } from '../../fixtures/call.ts';
import type { SignedIn } from '../../fixtures/sign-in.ts';
import { ask, bodyOf, createAttendee, createVenue, signedIn, startEventsService } from './fixtures.ts';

const TENANT = 'org-events';

let admin: SignedIn;
let stranger: SignedIn;

beforeAll(async () => {
  await startEventsService();
  admin = await signedIn(TENANT, 'event_admin');
  stranger = await signedIn('org-events-other', 'event_admin');
});

const day = (offset: number) => new Date(Date.now() + offset * DAY_MS).toISOString().slice(0, 10);
type Item = { id: string; name: string; date: string };
const create = (json: object, headers = {}) => ask(admin, 'POST /events', json, headers);

describe('POST /events', () => {
  it('creates an event and answers it with its dates as given', async () => {
    const event = { name: 'Fair', description: 'Books', date: '2026-06-01', end_date: '2026-06-02T18:00:00+02:00' };
    expect(await create(event)).toMatchObject({ status: 201, body: { ...event, deleted_at: null } });
  });

  it('takes null for an end, a description and a text that there is not, as answers have it', async () => {
    const event = { name: 'Fair', date: '2026-06-01', end_date: null, consent_text: null };
    expect(await create({ ...event, description: null })).toMatchObject({
      status: 201,
      body: { ...event, description: '' },
    });
  });

  it('refuses an end before the beginning, and what is no date', async () => {
    for (const dates of [{ date: '2026-06-02', end_date: '2026-06-01' }, { date: 'tomorrow' }, {}]) {
      const answer = await create({ name: 'Fair', ...dates });
      expect([answer.status, codeOf(answer)]).toEqual([400, 'VALIDATION_ERROR']);
    }
  });

  it('with the same Idempotency-Key creates one event', async () => {
    const twice = [1, 2].map(() => create({ name: 'Once', date: '2026-06-01' }, { 'idempotency-key': 'once' }));
    const [first, second] = await Promise.all(twice);
    expect(first!.status).toBe(201);
    expect(second!.body).toEqual(first!.body);
  });
});

describe('GET /events', () => {
  it('groups events by date and end_date as upcoming, ongoing and past, each item id, name and date', async () => {
    const owner = await signedIn('org-events-grouped', 'event_admin');
    const make = (json: object) => bodyOf<Item>(ask(owner, 'POST /events', json), 201);
    const upcoming = await make({ name: 'Soon', date: day(2) });
    const ongoing = await make({ name: 'Now', date: day(-1), end_date: day(1) });
    const today = await make({ name: 'Today', date: day(0) });
    const past = await make({ name: 'Over', date: day(-3), end_date: day(-2) });
    const item = ({ id, name, date }: Item) => ({ id, name, date });
    expect(await bodyOf(ask(owner, 'GET /events'))).toEqual({
      upcoming: [item(upcoming)],
      ongoing: [item(today), item(ongoing)],
      past: [item(past)],
    });
  });

  it('pages by limit and cursor', async () => {
    const owner = await signedIn('org-events-paged', 'event_admin');
    const names = ['a', 'b', 'c'];
    for (const name of names) await ask(owner, 'POST /events', { name, date: '2020-01-01' });
    const seen: string[] = [];
    let target: string | null = 'GET /events?limit=2';
    while (target !== null) {
      const answer = await ask(owner, target);
      seen.push(...(answer.body as { past: Item[] }).past.map(({ name }) => name));
      const next = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1];
      target = next === undefined ? null : `GET /events${new URL(next).search}`;
    }
    expect(seen.sort()).toEqual(names);
  });
});

describe('GET /events/{id}', () => {
  it('answers the event with its invite statistics', async () => {
    const venue = await createVenue(admin, TENANT);
    const { eventId } = venue;
    const people = [];
    for (const name of ['Ada', 'Grace', 'Edith']) people.push(await createAttendee(venue, TENANT, name));
    const [ada, grace] = people;
    await ask(admin, `POST /events/${eventId}/invites`, { attendee_id: ada });
    await ask(admin, `POST /events/${eventId}/invites`, { attendee_id: grace, status: 'accepted' });
    expect(await ask(admin, `GET /events/${eventId}`)).toMatchObject({
      status: 200,
      body: {
        id: eventId,
        name: 'Fair',
        rooms: 1,
        attendees: 3,
        invites: { total: 2, by_status: { pending: 1, accepted: 1, declined: 0, revoked: 0 } },
      },
    });
  });
});

describe('DELETE /events/{id}', () => {
  it('keeps the record with deleted_at and says when its key is destroyed', async () => {
    const venue = await createVenue(admin, TENANT);
    const { eventId } = venue;
    await createAttendee(venue, TENANT, 'Ada');
    const kept = () =>
      env.EVENTS_DB.prepare(
        'SELECT (SELECT count(*) FROM attendees WHERE event_id = ?1) AS attendees, (SELECT count(*) FROM rooms WHERE event_id = ?1) AS rooms',
      )
        .bind(eventId)
        .first();
    const before = await kept();
    expect(before).toMatchObject({ attendees: 1 });
    const deleted = await bodyOf<{ deleted_at: string; shred_at: string }>(ask(admin, `DELETE /events/${eventId}`));
    expect(Date.parse(deleted.shred_at) - Date.parse(deleted.deleted_at)).toBe(30 * DAY_MS);
    expect(Math.abs(Date.parse(deleted.deleted_at) - Date.now())).toBeLessThan(60_000);
    // What it has is kept until its key goes.
    expect(await kept()).toEqual(before);
  });

  it('a deleted event answers 404 on every read and write, and is in no list', async () => {
    const venue = await createVenue(admin, TENANT);
    const { eventId, roomId, cameras } = venue;
    const attendee = await createAttendee(venue, TENANT, 'Ada');
    await ask(admin, `POST /events/${eventId}/invites`, { attendee_id: attendee });
    await ask(admin, `DELETE /events/${eventId}`);
    const at = '2026-06-01T10:00:00Z';
    const manual = { event_id: eventId, room_id: roomId, type: 'entered', attendee_id: attendee, at, reason: 'seen' };
    const asked: [string, object?][] = [
      [`GET /events/${eventId}`],
      [`DELETE /events/${eventId}`],
      [`GET /rooms?event_id=${eventId}`],
      [`GET /rooms/${roomId}`],
      ['POST /rooms', { event_id: eventId, name: 'Late' }],
      [`GET /cameras?room_id=${roomId}`],
      [`GET /cameras/${cameras.entry.id}`],
      ['POST /cameras', { room_id: roomId, name: 'Late', type: 'entry', source: 'rtsp://x' }],
      [`GET /attendees/${eventId}`],
      [`GET /attendees/${eventId}/${attendee}`],
      [`GET /events/${eventId}/invites`],
      [`POST /events/${eventId}/invites`, { attendee_id: attendee }],
      [`GET /timeline?event_id=${eventId}`],
      ['POST /timeline', manual],
      [`GET /events/${eventId}/occupancy`],
      [`GET /events/${eventId}/alerts`],
      [`GET /events/${eventId}/corrections`],
    ];
    const answers = await Promise.all(asked.map(([target, json]) => ask(admin, target, json)));
    expect(answers.map((answer) => [answer.status, codeOf(answer)])).toEqual(asked.map(() => [404, 'NOT_FOUND']));
    expect(JSON.stringify(await bodyOf(ask(admin, 'GET /events')))).not.toContain(eventId);
  });

  it('is out of another tenant’s reach', async () => {
    const { eventId } = await createVenue(admin, TENANT);
    expect((await ask(stranger, `DELETE /events/${eventId}`)).status).toBe(404);
    expect((await ask(admin, `GET /events/${eventId}`)).status).toBe(200);
  });
});
