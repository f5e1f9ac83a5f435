import { beforeAll, describe, expect, it } from 'vitest';
import { migrate } from '../../fixtures/migrate.ts';
import { type Staff, staffOf, type Venue, venueOf } from '../../workers/events/staff.ts';
import { faceOf, imageOf } from '../../workers/events/test-image.ts';

let staff: Staff;
let venue: Venue;
let people = 0;
let frames = 0;

beforeAll(async () => {
  staff = await staffOf(await migrate(), 'org-unnamed-crowd');
  venue = await venueOf(staff);
});

async function registered(person: string, name = person, at = venue): Promise<string> {
  const { status, body } = await staff.send(`POST /register-attendee/${at.eventId}`, {
    name,
    email: `crowd-${people++}@example.com`,
    photo: imageOf({ faces: [faceOf(person)] }),
    consent: 'true',
    consent_text: 'I agree.',
  });
  expect(status, JSON.stringify(body)).toBe(201);
  return (body as { id: string }).id;
}

/** Faces of nobody in particular, all of one person, in one photo of the event's collection. */
async function uploadedUnnamed(person: string, count: number, at = venue): Promise<void> {
  const faces = Array.from({ length: count }, (_, place) => faceOf(person, place));
  const image = imageOf({ faces });
  const { body } = await staff.send('POST /v1/faces', { image, collection: at.eventId });
  expect(body).toMatchObject({ faces_stored: count });
}

interface Seen {
  readonly faces: readonly { readonly match: { readonly attendee_id: string } | null; readonly in_review: boolean }[];
  readonly unknown: number;
}

async function seenAtDoor(person: string, at = venue): Promise<Seen> {
  const captured_at = new Date(Date.now() - 300_000 + 1_000 * frames++).toISOString();
  const image = imageOf({ faces: [faceOf(person, 0, { unlike: 0.1 })] });
  const { status, body } = await staff.send(`POST /cameras/${at.cameraId}/frames`, { image, captured_at });
  expect(status, JSON.stringify(body)).toBe(200);
  return body as Seen;
}

interface Found {
  readonly matches: readonly { readonly metadata: { readonly attendee_id: string | null } }[];
  readonly ambiguous: boolean;
}

async function found(person: string, fields: Record<string, string> = {}, at = venue): Promise<Found> {
  const image = imageOf({ faces: [faceOf(person, 0, { unlike: 0.1 })] });
  const { status, body } = await staff.send('POST /v1/search', { image, collection: at.eventId, ...fields });
  expect(status, JSON.stringify(body)).toBe(200);
  return body as Found;
}

const namedIn = ({ matches }: Found) =>
  matches.flatMap(({ metadata: { attendee_id } }) => (attendee_id === null ? [] : [attendee_id]));

async function mergedInto(into: string, from: string, at: Venue): Promise<void> {
  const { status } = await staff.ask(`POST /attendees/${at.eventId}/${from}/merge`, {
    json: { into, reason: 'twice' },
  });
  expect(status).toBe(200);
}

describe('E-04: faces of nobody in an event’s collection hide no attendee:', () => {
  it('however many look like them, a camera and a search name the attendee', async () => {
    const olga = await registered('olga');
    for (const more of [0, 11, 89]) {
      await uploadedUnnamed('olga', more);
      expect(await seenAtDoor('olga')).toMatchObject({
        faces: [{ match: { attendee_id: olga }, in_review: false }],
        unknown: 0,
      });
      for (const fields of [{}, { top_k: '1' }] as Record<string, string>[])
        expect(namedIn(await found('olga', fields))).toEqual([olga]);
    }
  });

  it('they take the places of a search that attendees leave, the best first', async () => {
    const { matches } = await found('olga', { top_k: '5' });
    expect(matches).toHaveLength(5);
  });
});

describe('E-10: a merged attendee is one person:', () => {
  it('top_k counts people, however many were merged into one', async () => {
    const at = await venueOf(staff);
    const una = await registered('una', 'una', at);
    for (const name of ['una b', 'una c', 'una d', 'una e'])
      await mergedInto(una, await registered('una', name, at), at);
    for (const person of ['vic', 'wes', 'xia']) await registered(person, person, at);
    for (const [top_k, count] of [
      ['1', 1],
      ['2', 2],
      ['3', 3],
      ['4', 4],
      ['5', 4],
    ] as const) {
      const named = namedIn(await found('una', { top_k, threshold: '-1' }, at));
      expect(named[0]).toBe(una);
      expect(new Set(named).size).toBe(count);
      expect(named).toHaveLength(count);
    }
  });

  it('who is as like as a merged attendee makes the answer ambiguous', async () => {
    const at = await venueOf(staff);
    const zoe = await registered('zoe', 'zoe', at);
    await mergedInto(zoe, await registered('zoe', 'zoe again', at), at);
    await uploadedUnnamed('zoe', 3, at);
    expect(await found('zoe', { top_k: '1' }, at)).toMatchObject({ ambiguous: false });
    await registered('zoe', 'her twin', at);
    expect(await found('zoe', { top_k: '1' }, at)).toMatchObject({ ambiguous: true });
    expect(await seenAtDoor('zoe', at)).toMatchObject({ faces: [{ match: null, in_review: true }] });
  });
});
