import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { uuidv7 } from 'uuidv7';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { attendeesKnownAs } from '../../../../data/events/attendees/attendees.ts';
import { eventsDatabase } from '../../../../data/events/database.ts';
import type { CameraType } from '../../../../domain/events/camera-type.ts';
import { codeOf } from '../../fixtures/call.ts';
import type { SignedIn } from '../../fixtures/sign-in.ts';
import { ask, bodyOf, createAttendee, createVenue, signedIn, startEventsService, type Venue } from './fixtures.ts';
import { recordSightings } from './record-sightings.ts';
import '../../../same-cases.ts';

const TENANT = 'org-corrections';
const START = Date.parse('2026-06-01T10:00:00Z');

let admin: SignedIn;
let operator: SignedIn;
let venue: Venue;
let people: readonly string[];

beforeAll(async () => {
  await startEventsService();
  admin = await signedIn(TENANT, 'event_admin');
  operator = await signedIn(TENANT, 'event_operator');
  venue = await createVenue(admin, TENANT);
  people = await Promise.all(['Ada', 'Grace', 'Edith'].map((name) => createAttendee(venue, TENANT, name)));
});

const db = () => eventsDatabase(env.EVENTS_DB);

async function see(at: Venue, camera: CameraType, attendeeId: string, minutes: number): Promise<void> {
  const capturedAt = START + minutes * 60_000;
  const sighting = { attendeeId, faceId: uuidv7(), similarity: 0.8, capturedAt, frameId: 'f' };
  await recordSightings(db(), at.key, at.cameras[camera], [sighting]);
}

interface Entry {
  readonly id: string;
  readonly name: string;
  readonly attendee_id: string;
}

async function entriesOf({ eventId }: Venue, query = ''): Promise<Entry[]> {
  return (await bodyOf<{ entries: Entry[] }>(ask(admin, `GET /timeline?event_id=${eventId}${query}`))).entries;
}

const occupancyOf = ({ eventId }: Venue) => bodyOf(ask(admin, `GET /events/${eventId}/occupancy`));

describe('not this person', () => {
  it('takes an entry out of timeline and occupancy, and restoring brings it back as it was', async () => {
    const at = await createVenue(admin, TENANT);
    const [ada, grace] = await Promise.all(['Ada', 'Grace'].map((name) => createAttendee(at, TENANT, name)));
    const sights: [CameraType, number, number][] = [
      ['entry', 0, 0],
      ['entry', 1, 5],
      ['exit', 0, 10],
      ['entry', 0, 20],
    ];
    for (const [camera, who, minutes] of sights) await see(at, camera, [ada!, grace!][who]!, minutes);
    const entries = await entriesOf(at);
    const before = [await occupancyOf(at), entries];
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(entries, { minLength: 1 }), async (chosen) => {
        for (const { id } of chosen) await bodyOf(ask(operator, `POST /timeline/${id}/void`, { reason: 'not her' }));
        const left = (await entriesOf(at)).map(({ id }) => id);
        expect(left).toEqual(entries.map(({ id }) => id).filter((id) => !chosen.some((one) => one.id === id)));
        for (const { id } of chosen) await bodyOf(ask(operator, `POST /timeline/${id}/restore`, { reason: 'it was' }));
        expect([await occupancyOf(at), await entriesOf(at)]).toEqual(before);
      }),
      { numRuns: 4 },
    );
  });

  it('holds for later frames of the same presence, and not past it', async () => {
    const at = await createVenue(admin, TENANT);
    const ada = await createAttendee(at, TENANT, 'Ada');
    await see(at, 'entry', ada, 0);
    const [entry] = await entriesOf(at);
    await ask(operator, `POST /timeline/${entry!.id}/void`, { reason: 'not her' });
    await see(at, 'entry', ada, 0);
    await see(at, 'entry', ada, 0.4);
    expect(await entriesOf(at)).toEqual([]);
    expect(await entriesOf(at, '&include_voided=true')).toMatchObject([
      { id: entry!.id, last_seen_at: '2026-06-01T10:00:24.000Z' },
    ]);
    await see(at, 'entry', ada, 10);
    expect(await entriesOf(at)).toHaveLength(1);
  });

  it('is refused twice, without a reason, and of no entry', async () => {
    await see(venue, 'in-event', people[0]!, 0);
    const [entry] = await entriesOf(venue);
    const path = `POST /timeline/${entry!.id}/void`;
    expect(codeOf(await ask(operator, path, {}))).toBe('VALIDATION_ERROR');
    expect((await ask(operator, path, { reason: 'not her' })).status).toBe(200);
    expect(codeOf(await ask(operator, path, { reason: 'not her' }))).toBe('CONFLICT');
    expect(codeOf(await ask(operator, `POST /timeline/${uuidv7()}/void`, { reason: 'x' }))).toBe('NOT_FOUND');
  });
});

describe('a manual entry', () => {
  it('counts like one of a camera', async () => {
    const at = await createVenue(admin, TENANT);
    const ada = await createAttendee(at, TENANT, 'Ada');
    const entry = {
      event_id: at.eventId,
      room_id: at.roomId,
      type: 'entered',
      attendee_id: ada,
      at: '2026-06-01T12:00:00+02:00',
    };
    const headers = { 'idempotency-key': uuidv7() };
    const write = () => ask(operator, 'POST /timeline', { ...entry, reason: 'side door' }, headers);
    const written = await bodyOf(write(), 201);
    expect(written).toMatchObject({ source: 'manual', attendee_id: ada, camera_id: null, similarity: null });
    expect(await bodyOf(write(), 201)).toEqual(written);
    expect(await entriesOf(at)).toEqual([written]);
    expect(await occupancyOf(at)).toMatchObject({ rooms: [{ current: 1, peak_at: '2026-06-01T10:00:00.000Z' }] });
  });

  it('of a room or an attendee of another event is refused', async () => {
    const at = await createVenue(admin, TENANT);
    const entry = { event_id: at.eventId, type: 'entered', at: '2026-06-01T10:00:00Z', reason: 'x' };
    const ada = await createAttendee(at, TENANT, 'Ada');
    for (const wrong of [
      { room_id: venue.roomId, attendee_id: ada },
      { room_id: at.roomId, attendee_id: people[0] },
    ])
      expect(codeOf(await ask(operator, 'POST /timeline', { ...entry, ...wrong }))).toBe('NOT_FOUND');
  });
});

describe('a merge', () => {
  it('makes timeline, invite and later sightings of one attendee another’s', async () => {
    const at = await createVenue(admin, TENANT);
    const [double, ada] = (await Promise.all(
      ['A. Lovelace', 'Ada'].map((name) => createAttendee(at, TENANT, name)),
    )) as [string, string];
    await ask(admin, `POST /events/${at.eventId}/invites`, { attendee_id: double, status: 'accepted' });
    await see(at, 'entry', double, 0);
    await see(at, 'exit', ada, 10);
    const merged = await ask(operator, `POST /attendees/${at.eventId}/${double}/merge`, { into: ada, reason: 'twice' });
    expect(merged).toMatchObject({ status: 200, body: { attendee_id: ada } });
    await see(at, 'entry', double, 20);
    expect(await entriesOf(at)).toMatchObject([1, 2, 3].map(() => ({ name: 'Ada', attendee_id: ada })));
    expect(await occupancyOf(at)).toMatchObject({ rooms: [{ current: 1, entries: 2, exits: 1, repeated_exits: 0 }] });
    expect(await bodyOf(ask(admin, `GET /events/${at.eventId}/invites`))).toMatchObject({
      invites: [{ attendee_id: ada, status: 'accepted' }],
    });
    expect((await ask(admin, `GET /attendees/${at.eventId}/${double}`)).status).toBe(404);
    const known = await attendeesKnownAs(db(), at.key, at.eventId, [double, ada, uuidv7()]);
    expect([...known.values()]).toEqual([1, 2].map(() => ({ attendeeId: ada, name: 'Ada' })));
  });

  it.each([
    ['pending', 'accepted', 'accepted'],
    ['pending', 'declined', 'declined'],
    ['declined', 'accepted', 'declined'],
    ['accepted', 'pending', 'accepted'],
  ] as const)('of two who are invited, %s and %s, leaves one invite, which is %s', async (own, other, left) => {
    const at = await createVenue(admin, TENANT);
    const [ada, double] = [await createAttendee(at, TENANT, 'Ada'), await createAttendee(at, TENANT, 'Ada L.')];
    for (const [attendee_id, status] of [
      [ada, own],
      [double, other],
    ])
      expect((await ask(admin, `POST /events/${at.eventId}/invites`, { attendee_id, status })).status).toBe(201);
    await ask(operator, `POST /attendees/${at.eventId}/${double}/merge`, { into: ada, reason: 'twice' });
    const { invites } = await bodyOf<{ invites: object[] }>(ask(admin, `GET /events/${at.eventId}/invites`));
    expect(invites).toEqual([expect.objectContaining({ attendee_id: ada, status: left })]);
  });

  it('of one who was merged into goes on to the last', async () => {
    const at = await createVenue(admin, TENANT);
    const [a, b, c] = await Promise.all(['A', 'B', 'C'].map((name) => createAttendee(at, TENANT, name)));
    await see(at, 'entry', a!, 0);
    await ask(operator, `POST /attendees/${at.eventId}/${a}/merge`, { into: b, reason: 'same' });
    await ask(operator, `POST /attendees/${at.eventId}/${b}/merge`, { into: c, reason: 'same' });
    await see(at, 'entry', a!, 0.2);
    await see(at, 'entry', b!, 0.3);
    expect(await entriesOf(at)).toMatchObject([{ attendee_id: c, last_seen_at: '2026-06-01T10:00:18.000Z' }]);
  });

  it('of both in one frame is one entry', async () => {
    const at = await createVenue(admin, TENANT);
    const [a, b] = await Promise.all(['A', 'B'].map((name) => createAttendee(at, TENANT, name)));
    await ask(operator, `POST /attendees/${at.eventId}/${a}/merge`, { into: b, reason: 'same' });
    const both = [a!, b!].map((attendeeId) => ({
      attendeeId,
      faceId: 'f',
      similarity: 0.8,
      capturedAt: START,
      frameId: 'f',
    }));
    await recordSightings(db(), at.key, at.cameras.entry, both);
    expect(await entriesOf(at)).toHaveLength(1);
  });

  it('with oneself, or with nobody, is refused', async () => {
    const path = `POST /attendees/${venue.eventId}/${people[0]}/merge`;
    expect(codeOf(await ask(operator, path, { into: people[0], reason: 'x' }))).toBe('VALIDATION_ERROR');
    expect(codeOf(await ask(operator, path, { into: uuidv7(), reason: 'x' }))).toBe('NOT_FOUND');
    expect(codeOf(await ask(operator, path, { into: people[1] }))).toBe('VALIDATION_ERROR');
  });
});

describe('a role that corrects and may not see attendees', () => {
  it('is told no name and no address of anybody, whatever it does', async () => {
    const at = await createVenue(admin, TENANT);
    const [nora, olga] = await Promise.all(['Nora', 'Olga'].map((name) => createAttendee(at, TENANT, name)));
    await see(at, 'entry', nora!, 0);
    await ask(admin, `POST /attendees/${at.eventId}/${olga}/merge`, { into: nora, reason: 'the same' });
    const [entry] = await entriesOf(at);
    const granted = "('event_viewer', 'timeline:correct')";
    await env.EVENTS_DB.exec(`INSERT INTO role_permissions (role, permission) VALUES ${granted}`);
    const viewer = await signedIn(TENANT, 'event_viewer');
    // What roles grant is read again after ten seconds.
    const later = Date.now() + 11_000;
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => later);
    const answers = await Promise.all([
      ask(viewer, `POST /timeline/${entry?.id}/void`, { reason: 'seen' }),
      ask(viewer, 'POST /timeline', {
        event_id: at.eventId,
        room_id: at.roomId,
        type: 'entered',
        attendee_id: nora,
        at: new Date(START).toISOString(),
        reason: 'seen',
      }),
      ask(viewer, `GET /events/${at.eventId}/corrections`),
      ask(viewer, `GET /events/${at.eventId}/reviews`),
    ]);
    await env.EVENTS_DB.exec(
      "DELETE FROM role_permissions WHERE role = 'event_viewer' AND permission = 'timeline:correct'",
    );
    clock.mockRestore();
    expect(answers.map(({ status }) => status)).toEqual([200, 201, 200, 200]);
    const told = JSON.stringify(answers.map(({ body }) => body));
    for (const secret of ['Nora', 'Olga', '@example.com']) expect(told).not.toContain(secret);
    expect(told).toContain(olga);
  });
});

describe('the audit trail', () => {
  it('says who corrected what, and why', async () => {
    const at = await createVenue(admin, TENANT);
    const [a, b] = await Promise.all(['A', 'B'].map((name) => createAttendee(at, TENANT, name)));
    await see(at, 'entry', a!, 0);
    const [entry] = await entriesOf(at);
    await ask(operator, `POST /timeline/${entry!.id}/void`, { reason: 'not A' });
    await ask(operator, `POST /timeline/${entry!.id}/restore`, { reason: 'A after all' });
    await ask(operator, `POST /attendees/${at.eventId}/${a}/merge`, { into: b, reason: 'the same' });
    const { corrections } = await bodyOf<{ corrections: { actor: string }[] }>(
      ask(operator, `GET /events/${at.eventId}/corrections`),
    );
    expect(corrections).toMatchObject([
      { kind: 'not_this_person', reason: 'not A', change: { entry_id: entry!.id, attendee_id: a } },
      { kind: 'restored', reason: 'A after all', change: { entry_id: entry!.id } },
      { kind: 'merge', reason: 'the same', change: { attendee_id: b, from: { attendee_id: a, name: 'A' } } },
    ]);
    expect(new Set(corrections.map(({ actor }) => actor)).size).toBe(1);
  });
});
