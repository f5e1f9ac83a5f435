import { env } from 'cloudflare:workers';
import { uuidv7 } from 'uuidv7';
import { beforeAll, describe, expect, it } from 'vitest';
import { eventsDatabase } from '../../../../data/events/database.ts';
import type { CameraType } from '../../../../domain/events/camera-type.ts';
import { codeOf } from '../../fixtures/call.ts';
import type { SignedIn } from '../../fixtures/sign-in.ts';
import { ask, bodyOf, createAttendee, createVenue, signedIn, startEventsService, type Venue } from './fixtures.ts';
import { recordSightings } from './record-sightings.ts';

const TENANT = 'org-times';
const START = Date.parse('2026-06-01T10:00:00Z');
const DAY_MS = 86_400_000;

let admin: SignedIn;

beforeAll(async () => {
  await startEventsService();
  admin = await signedIn(TENANT, 'event_admin');
});

const second = (at: number) => new Date(START + at * 1_000).toISOString();

async function see(venue: Venue, camera: CameraType, attendeeId: string, at: number): Promise<void> {
  const sighting = { attendeeId, faceId: uuidv7(), similarity: 0.8, capturedAt: START + at * 1_000, frameId: 'f' };
  await recordSightings(eventsDatabase(env.EVENTS_DB), venue.key, venue.cameras[camera], [sighting]);
}

const occupancyAt = ({ eventId }: Venue) => bodyOf(ask(admin, `GET /events/${eventId}/occupancy`));

describe('E-03: a re-entry is a re-entry', () => {
  it('in whatever order the sights of its doors arrive', async () => {
    const sights = [
      ['entry', 0],
      ['exit', 10],
      ['entry', 25],
    ] as const;
    for (const order of [sights, sights.toReversed(), [sights[0], sights[2], sights[1]]] as const) {
      const venue = await createVenue(admin, TENANT);
      const ada = await createAttendee(venue, TENANT, 'Ada');
      for (const [camera, at] of order) await see(venue, camera, ada, at);
      expect(await occupancyAt(venue)).toMatchObject({ rooms: [{ current: 1, entries: 2, exits: 1 }] });
    }
  });
});

describe('E-06: an entry by hand', () => {
  it.each(['entered', 'exited', 'present'])(
    'of type %s is of a time at which a camera could have seen it',
    async (type) => {
      const now = Date.now();
      const venue = await createVenue(admin, TENANT, { date: new Date(now - 60_000).toISOString() });
      const ada = await createAttendee(venue, TENANT, 'Ada');
      const write = (at: number) =>
        ask(admin, 'POST /timeline', {
          event_id: venue.eventId,
          room_id: venue.roomId,
          attendee_id: ada,
          type,
          at: new Date(at).toISOString(),
          reason: 'side door',
        });
      for (const at of [now + 365 * DAY_MS, now + 600_000, 0, now - 2 * DAY_MS]) {
        const refused = await write(at);
        expect([refused.status, codeOf(refused)]).toEqual([400, 'VALIDATION_ERROR']);
      }
      expect((await write(now - 60_000)).status).toBe(201);
      expect((await write(now - DAY_MS / 2)).status).toBe(201);
    },
  );
});

describe('E-11: aggregates are of the entries that the list shows', () => {
  it.each([
    ['entry', 'entries'],
    ['exit', 'exits'],
  ] as const)('wherever a presence at an %s lies to from and to', async (camera, counted) => {
    const venue = await createVenue(admin, TENANT);
    const ada = await createAttendee(venue, TENANT, 'Ada');
    if (camera === 'exit') await see(venue, 'entry', ada, -600);
    await see(venue, camera, ada, -10);
    await see(venue, camera, ada, 10);
    for (const [from, to, shown] of [
      [-20, -11, 0],
      [-20, -10, 1],
      [-20, 20, 1],
      [0, 0, 1],
      [0, 20, 1],
      [10, 20, 1],
      [11, 20, 0],
    ] as const) {
      const range = `from=${second(from)}&to=${second(to)}&camera_id=${venue.cameras[camera].id}`;
      const read = await bodyOf<{ entries: unknown[]; aggregates: { total: object } }>(
        ask(admin, `GET /timeline?event_id=${venue.eventId}&${range}`),
      );
      expect(read.entries, `${from} to ${to}`).toHaveLength(shown);
      expect(read.aggregates.total, `${from} to ${to}`).toMatchObject({ [counted]: shown });
    }
  });
});

describe('E-03: a quick return', () => {
  it.each([
    [0, 5, 1, 0],
    [0, 10, 1, 1],
    [11, 24, 1, 0],
    [25, 30, 2, 0],
    [0, 30, 2, 1],
  ])('counts at its own time: from %i s to %i s', async (from, to, entries, exits) => {
    const venue = await createVenue(admin, TENANT);
    const ada = await createAttendee(venue, TENANT, 'Ada');
    await see(venue, 'entry', ada, 0);
    await see(venue, 'exit', ada, 10);
    await see(venue, 'entry', ada, 25);
    const read = await bodyOf<{ aggregates: { total: object } }>(
      ask(admin, `GET /timeline?event_id=${venue.eventId}&from=${second(from)}&to=${second(to)}`),
    );
    expect(read.aggregates.total).toMatchObject({ entries, exits });
  });
});

describe('E-05: what a camera whose clock is ahead has seen', () => {
  it('counts not before its time has come', async () => {
    const venue = await createVenue(admin, TENANT);
    const ada = await createAttendee(venue, TENANT, 'Ada');
    await see(venue, 'entry', ada, (Date.now() + 4 * 60_000 - START) / 1_000);
    expect(await occupancyAt(venue)).toMatchObject({ rooms: [{ current: 0, entries: 0, peak: 0 }] });
  });
});

describe('E-14: an event', () => {
  it.each(['2026-11-28T03:00Z', '2026-11-28T03:00', '20261128T0300Z', '20261128', '2026-W48-6', '2026-332'])(
    'may begin at %s, which is answered as it was given',
    async (date) => {
      const event = await bodyOf(ask(admin, 'POST /events', { name: 'Fair', date }), 201);
      expect(event).toMatchObject({ date });
    },
  );

  it.each(['2026-02-29', '2026-11', '28.11.2026', 'soon'])('may not at %s', async (date) => {
    expect(codeOf(await ask(admin, 'POST /events', { name: 'Fair', date }))).toBe('VALIDATION_ERROR');
  });
});

describe('E-09: an evening', () => {
  it('that begins just before midnight of UTC is not over at midnight', async () => {
    const { id } = await bodyOf<{ id: string }>(
      ask(admin, 'POST /events', { name: 'Evening', date: new Date(Date.now() - 3_600_000).toISOString() }),
      201,
    );
    const { ongoing } = await bodyOf<{ ongoing: { id: string }[] }>(ask(admin, 'GET /events?limit=100'));
    expect(ongoing.map((event) => event.id)).toContain(id);
  });
});
