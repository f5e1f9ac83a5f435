import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { uuidv7 } from 'uuidv7';
import { beforeAll, describe, expect, it } from 'vitest';
import { eventsDatabase } from '../../../../data/events/database.ts';
import { timeline } from '../../../../data/events/schema.ts';
import type { SightingCamera } from '../../../../data/events/timeline/timeline.ts';
import { openIdentity } from '../../../../data/events/timeline/timeline-identity.ts';
import { PRESENCE_WINDOW_MS, presencesOf, type Sighting } from '../../../../domain/events/presence.ts';
import type { SignedIn } from '../../fixtures/sign-in.ts';
import { ask, createAttendee, createVenue, signedIn, startEventsService, type Venue } from './fixtures.ts';
import { recordSightings } from './record-sightings.ts';
import '../../../same-cases.ts';

const TENANT = 'org-sightings';

let admin: SignedIn;
let venue: Venue;
let people: readonly string[];

beforeAll(async () => {
  await startEventsService();
  admin = await signedIn(TENANT, 'event_admin');
  venue = await createVenue(admin, TENANT);
  people = [await createAttendee(venue, TENANT, 'Ada'), await createAttendee(venue, TENANT, 'Grace')];
});

const db = () => eventsDatabase(env.EVENTS_DB);

/** A camera that has seen nobody yet: each run of a property has one. */
const anotherCamera = (): SightingCamera => ({ ...venue.cameras.entry, id: uuidv7() });

const sighting = (attendeeId: string, capturedAt: number, terms: Partial<Sighting> = {}): Sighting => ({
  attendeeId,
  capturedAt,
  faceId: 'face',
  similarity: 0.9,
  frameId: `frame-${capturedAt}`,
  ...terms,
});

interface Seen {
  readonly attendeeId: string;
  readonly firstSeenAt: number;
  readonly lastSeenAt: number;
  readonly similarity: number | null;
  readonly frameId: string | null;
}

/** What is on the timeline of a camera. */
async function seenBy({ id }: SightingCamera): Promise<Seen[]> {
  const rows = (await db().select().from(timeline)).filter(({ cameraId }) => cameraId === id);
  const seen = await Promise.all(
    rows.map(async (row) => {
      const identity = await openIdentity(venue.key, row.id, row.sealedIdentity);
      const { firstSeenAt, lastSeenAt, similarity, frameId } = row;
      return { attendeeId: identity?.attendeeId ?? '', firstSeenAt, lastSeenAt, similarity, frameId };
    }),
  );
  return seen.toSorted(inOrder);
}

function inOrder(a: Seen, b: Seen): number {
  return a.firstSeenAt - b.firstSeenAt || (a.attendeeId < b.attendeeId ? -1 : 1);
}

function sortedFirst(sightings: readonly Sighting[]): Seen[] {
  return presencesOf(sightings)
    .map(({ attendeeId, firstSeenAt, lastSeenAt, similarity, frameId }) => ({
      attendeeId,
      firstSeenAt,
      lastSeenAt,
      similarity,
      frameId,
    }))
    .toSorted(inOrder);
}

const START = Date.parse('2026-06-01T10:00:00Z');

/** Sightings dense enough that some join, some are bridged and some stand alone. */
const sightings = fc
  .array(
    fc.record({
      person: fc.integer({ min: 0, max: 1 }),
      offset: fc.integer({ min: 0, max: 16 }),
      similarity: fc.constantFrom(0.6, 0.7, 0.8),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .map((drawn) =>
    drawn.map(({ person, offset, similarity }) =>
      sighting(people[person]!, START + offset * 12_500, { similarity, frameId: `frame-${offset}` }),
    ),
  );

describe('recordSightings', () => {
  it('gives the same timeline in any order, split and repetition as sorting the sightings first', async () => {
    await fc.assert(
      fc.asyncProperty(
        sightings.chain((all) =>
          fc.tuple(
            fc.constant(all),
            fc.shuffledSubarray([...all, ...all], { minLength: all.length * 2 }),
            fc.integer({ min: 1, max: 4 }),
          ),
        ),
        async ([all, delivered, size]) => {
          const camera = anotherCamera();
          for (let start = 0; start < delivered.length; start += size)
            await recordSightings(db(), venue.key, camera, delivered.slice(start, start + size));
          expect(await seenBy(camera)).toEqual(sortedFirst(all));
        },
      ),
      { numRuns: 40 },
    );
  });

  it('gives the same timeline when frames arrive at once', async () => {
    await fc.assert(
      fc.asyncProperty(sightings, async (all) => {
        const camera = anotherCamera();
        await Promise.all([...all, ...all].map((one) => recordSightings(db(), venue.key, camera, [one])));
        expect(await seenBy(camera)).toEqual(sortedFirst(all));
      }),
      { numRuns: 15 },
    );
  });

  it('joins sightings up to the window, and begins another entry past it', async () => {
    const camera = anotherCamera();
    const [ada] = people as [string];
    const past = START + 2 * PRESENCE_WINDOW_MS + 1;
    for (const at of [START, START + PRESENCE_WINDOW_MS, past])
      await recordSightings(db(), venue.key, camera, [sighting(ada, at)]);
    expect(await seenBy(camera)).toMatchObject([
      { firstSeenAt: START, lastSeenAt: START + PRESENCE_WINDOW_MS },
      { firstSeenAt: past, lastSeenAt: past },
    ]);
  });

  it('joins two entries by a late frame between them', async () => {
    const camera = anotherCamera();
    const [ada] = people as [string];
    for (const offset of [0, 50_000, 25_000])
      await recordSightings(db(), venue.key, camera, [sighting(ada, START + offset)]);
    expect(await seenBy(camera)).toMatchObject([{ firstSeenAt: START, lastSeenAt: START + 50_000 }]);
  });

  it('keeps entries of one person before two cameras apart', async () => {
    const [ada] = people as [string];
    const cameras = [anotherCamera(), anotherCamera()];
    for (const camera of cameras) await recordSightings(db(), venue.key, camera, [sighting(ada, START)]);
    for (const camera of cameras) expect(await seenBy(camera)).toHaveLength(1);
  });

  it.each([
    ['entry', 'entered'],
    ['exit', 'exited'],
    ['in-event', 'present'],
  ] as const)('an %s camera writes %s', async (type, written) => {
    const camera = { ...anotherCamera(), type };
    await recordSightings(db(), venue.key, camera, [sighting(people[0]!, START)]);
    const rows = (await db().select().from(timeline)).filter(({ cameraId }) => cameraId === camera.id);
    expect(rows.map((row) => row.type)).toEqual([written]);
  });

  it('writes nothing of somebody who is no attendee, nor at an event that was deleted', async () => {
    const camera = anotherCamera();
    await recordSightings(db(), venue.key, camera, [sighting(uuidv7(), START)]);
    expect(await seenBy(camera)).toEqual([]);
    const other = await createVenue(admin, TENANT);
    const person = await createAttendee(other, TENANT, 'Ada');
    await ask(admin, `DELETE /events/${other.eventId}`);
    await recordSightings(db(), other.key, other.cameras.entry, [sighting(person, START)]);
    expect(await seenBy(other.cameras.entry)).toEqual([]);
  });

  it('leaves what names a person sealed', async () => {
    const camera = anotherCamera();
    await recordSightings(db(), venue.key, camera, [sighting(people[0]!, START)]);
    const rows = (await db().select().from(timeline)).filter(({ cameraId }) => cameraId === camera.id);
    const stored = rows.map((row) => ({ ...row, sealedIdentity: row.sealedIdentity.toString('latin1') }));
    expect(JSON.stringify(stored)).not.toContain(people[0]!);
  });
});
