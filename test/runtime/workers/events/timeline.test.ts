import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import fc from 'fast-check';
import { uuidv7 } from 'uuidv7';
import { beforeAll, describe, expect, it } from 'vitest';
import { eventsDatabase } from '../../../../data/events/database.ts';
import { frames, timeline } from '../../../../data/events/schema.ts';
import type { CameraType } from '../../../../domain/events/camera-type.ts';
import { judgeMovements, occupancyOf } from '../../../../domain/events/occupancy.fixtures.ts';
import type { SignedIn } from '../../fixtures/sign-in.ts';
import { ask, bodyOf, createAttendee, createVenue, signedIn, startEventsService, type Venue } from './fixtures.ts';
import { recordSightings } from './record-sightings.ts';
import '../../../same-cases.ts';

const TENANT = 'org-timeline';
const START = Date.parse('2026-06-01T10:00:00Z');
const MINUTE_MS = 60_000;

let admin: SignedIn;
let viewer: SignedIn;

beforeAll(async () => {
  await startEventsService();
  admin = await signedIn(TENANT, 'event_admin');
  viewer = await signedIn(TENANT, 'event_viewer');
});

const minute = (at: number) => new Date(START + at * MINUTE_MS).toISOString();

/** Has a camera of the venue see somebody, `at` minutes into the event. */
async function see(venue: Venue, camera: CameraType, attendeeId: string, at: number): Promise<void> {
  const sighting = { attendeeId, faceId: uuidv7(), similarity: 0.8, capturedAt: START + at * MINUTE_MS, frameId: 'f' };
  await recordSightings(eventsDatabase(env.EVENTS_DB), venue.key, venue.cameras[camera], [sighting]);
}

/** One that has seen nobody yet. */
const anotherCamera = (venue: Venue, type: CameraType) => ({ ...venue.cameras[type], id: uuidv7() });

async function peopleOf(venue: Venue, ...names: string[]): Promise<string[]> {
  return Promise.all(names.map((name) => createAttendee(venue, TENANT, name)));
}

interface Timeline {
  readonly entries: { id: string; name: string | null; attendee_id: string; type: string; at: string }[];
  readonly aggregates: { total: object; rooms: object[] };
}

const timelineOf = (as: SignedIn, { eventId }: Venue, query = '') =>
  bodyOf<Timeline>(ask(as, `GET /timeline?event_id=${eventId}${query}`));

describe('GET /timeline', () => {
  it('lists who was seen where in order of first sight, with entries and exits per room and in all', async () => {
    const venue = await createVenue(admin, TENANT);
    const [ada, grace] = (await peopleOf(venue, 'Ada', 'Grace')) as [string, string];
    await see(venue, 'exit', ada, 30);
    await see(venue, 'entry', grace, 5);
    await see(venue, 'in-event', grace, 7);
    await see(venue, 'entry', ada, 0);
    const { entries, aggregates } = await timelineOf(admin, venue);
    expect(entries).toMatchObject([
      { type: 'entered', name: 'Ada', attendee_id: ada, at: minute(0), similarity: 0.8, source: 'camera' },
      { type: 'entered', name: 'Grace', attendee_id: grace, at: minute(5), room_id: venue.roomId },
      { type: 'present', name: 'Grace', camera_id: venue.cameras['in-event'].id },
      { type: 'exited', name: 'Ada', at: minute(30) },
    ]);
    const counted = { entries: 2, exits: 1, repeated_entries: 0, repeated_exits: 0 };
    expect(aggregates).toEqual({ total: counted, rooms: [{ room_id: venue.roomId, ...counted }] });
  });

  it('narrows to a room, a camera, an attendee and a time', async () => {
    const venue = await createVenue(admin, TENANT);
    const [ada, grace] = (await peopleOf(venue, 'Ada', 'Grace')) as [string, string];
    await see(venue, 'entry', ada, 0);
    await see(venue, 'entry', ada, 2);
    await see(venue, 'entry', grace, 10);
    await see(venue, 'exit', grace, 20);
    const typesOf = async (query: string) => {
      const { entries, aggregates } = await timelineOf(admin, venue, query);
      return [entries.map(({ name, type }) => `${name} ${type}`), aggregates.total];
    };
    const total = (entries: number, exits: number, repeated = 0) => ({
      entries,
      exits,
      repeated_entries: repeated,
      repeated_exits: 0,
    });
    expect(await typesOf(`&attendee_id=${grace}`)).toEqual([['Grace entered', 'Grace exited'], total(1, 1)]);
    expect(await typesOf(`&camera_id=${venue.cameras.exit.id}`)).toEqual([['Grace exited'], total(0, 1)]);
    expect(await typesOf(`&room_id=${uuidv7()}`)).toEqual([[], total(0, 0)]);
    expect(await typesOf(`&from=${minute(2)}&to=${minute(10)}`)).toEqual([
      ['Ada entered', 'Grace entered'],
      total(1, 0, 1),
    ]);
  });

  it('pages by limit and cursor', async () => {
    const venue = await createVenue(admin, TENANT);
    const [ada] = (await peopleOf(venue, 'Ada')) as [string];
    for (const at of [0, 10, 20]) await see(venue, 'in-event', ada, at);
    const first = await ask(admin, `GET /timeline?event_id=${venue.eventId}&limit=2`);
    const next = new URL(/<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? '').search;
    const second = await ask(admin, `GET /timeline${next}`);
    const times = [first, second].flatMap(({ body }) => (body as Timeline).entries.map(({ at }) => at));
    expect(times).toEqual([minute(0), minute(10), minute(20)]);
    expect(second.headers.get('link')).toBeNull();
  });

  it('names people only to those who may see attendees', async () => {
    const venue = await createVenue(admin, TENANT);
    const [ada] = (await peopleOf(venue, 'Ada')) as [string];
    await see(venue, 'entry', ada, 0);
    expect((await timelineOf(viewer, venue)).entries).toMatchObject([{ attendee_id: ada, name: null }]);
  });
});

describe('GET /events/{id}/occupancy', () => {
  it('is entries minus exits, with the peak over event time, however late frames come', async () => {
    const venue = await createVenue(admin, TENANT, { capacity: 50 });
    const people = (await peopleOf(venue, 'Ada', 'Grace', 'Edith')) as [string, string, string];
    const [ada, grace, edith] = people;
    const sights: [CameraType, string, number][] = [
      ['exit', ada, 20],
      ['entry', edith, 30],
      ['entry', grace, 10],
      ['entry', ada, 0],
      ['entry', ada, 5],
    ];
    await Promise.all(sights.map(([camera, person, at]) => see(venue, camera, person, at)));
    expect(await bodyOf(ask(viewer, `GET /events/${venue.eventId}/occupancy`))).toEqual({
      event_id: venue.eventId,
      rooms: [
        {
          room_id: venue.roomId,
          name: 'Hall',
          capacity: 50,
          current: 2,
          peak: 2,
          peak_at: minute(10),
          entries: 3,
          exits: 1,
          repeated_entries: 1,
          repeated_exits: 0,
          unknown: { entered: 0, exited: 0 },
        },
      ],
    });
  });

  it('is right under concurrent cameras and late frames', async () => {
    const venue = await createVenue(admin, TENANT);
    const people = await peopleOf(venue, 'Ada', 'Grace', 'Edith');
    const sights = fc.uniqueArray(
      fc.record({
        camera: fc.constantFrom('entry' as const, 'exit' as const),
        person: fc.integer({ min: 0, max: 2 }),
        at: fc.integer({ min: 0, max: 15 }),
      }),
      { minLength: 1, maxLength: 12, selector: ({ camera, person, at }) => `${camera} ${person} ${at}` },
    );
    await fc.assert(
      fc.asyncProperty(sights, async (seen) => {
        const at = {
          ...venue,
          cameras: { ...venue.cameras, entry: anotherCamera(venue, 'entry'), exit: anotherCamera(venue, 'exit') },
        };
        await eventsDatabase(env.EVENTS_DB).delete(timeline).where(eq(timeline.eventId, venue.eventId));
        await Promise.all(seen.map(({ camera, person, at: minutes }) => see(at, camera, people[person]!, minutes)));
        const movements = seen.map(({ camera, person, at: minutes }) => ({
          person: String(person),
          type: camera === 'entry' ? ('entered' as const) : ('exited' as const),
          at: START + minutes * MINUTE_MS,
        }));
        const { current, peak, entries, exits, peakAt } = occupancyOf(judgeMovements(movements), {
          during: { date: START, endDate: Date.now() },
          now: Date.now(),
        });
        expect(await bodyOf(ask(viewer, `GET /events/${venue.eventId}/occupancy`))).toMatchObject({
          rooms: [{ current, peak, entries, exits, peak_at: peakAt === null ? null : new Date(peakAt).toISOString() }],
        });
      }),
      { numRuns: 8 },
    );
  });

  it('does not count presence, and counts unknown faces beside', async () => {
    const venue = await createVenue(admin, TENANT);
    const [ada] = (await peopleOf(venue, 'Ada')) as [string];
    await see(venue, 'in-event', ada, 0);
    const frameOf = (camera: CameraType, unknown: number) => ({
      id: uuidv7(),
      tenant: TENANT,
      eventId: venue.eventId,
      roomId: venue.roomId,
      cameraId: venue.cameras[camera].id,
      capturedAt: START,
      imageTag: uuidv7(),
      objectKey: 'x',
      facesDetected: unknown,
      matched: 0,
      unknown,
      sealedResult: Buffer.from(''),
      receivedAt: START,
    });
    await eventsDatabase(env.EVENTS_DB)
      .insert(frames)
      .values([frameOf('entry', 2), frameOf('entry', 1), frameOf('exit', 4), frameOf('in-event', 8)]);
    expect(await bodyOf(ask(viewer, `GET /events/${venue.eventId}/occupancy`))).toMatchObject({
      rooms: [{ current: 0, peak: 0, peak_at: null, unknown: { entered: 3, exited: 4 } }],
    });
  });
});

describe('GET /events/{id}/alerts', () => {
  it('lists the times in which occupancy exceeded the capacity, under stable ids', async () => {
    const venue = await createVenue(admin, TENANT, { capacity: 1, endDate: '2099-12-31' });
    const [ada, grace] = (await peopleOf(venue, 'Ada', 'Grace')) as [string, string];
    await see(venue, 'entry', ada, 0);
    const alerts = () =>
      bodyOf<{ alerts: { id: string }[] }>(ask(viewer, `GET /events/${venue.eventId}/alerts`)).then(
        (body) => body.alerts,
      );
    expect(await alerts()).toEqual([]);
    await see(venue, 'entry', grace, 10);
    const [open] = await alerts();
    const raised = { room_id: venue.roomId, capacity: 1, occupancy: 2, started_at: minute(10) };
    expect(open).toMatchObject({ ...raised, ended_at: null });
    await see(venue, 'exit', ada, 20);
    await see(venue, 'entry', ada, 40);
    expect(await alerts()).toMatchObject([
      { ...raised, id: open!.id, ended_at: minute(20) },
      { started_at: minute(40), ended_at: null },
    ]);
    const first = await ask(viewer, `GET /events/${venue.eventId}/alerts?limit=1`);
    const next = new URL(/<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? '').search;
    const second = await ask(viewer, `GET /events/${venue.eventId}/alerts${next}`);
    expect([first, second].flatMap(({ body }) => (body as { alerts: object[] }).alerts)).toEqual(await alerts());
    expect(second.headers.get('link')).toBeNull();
  });
});
