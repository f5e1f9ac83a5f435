import { beforeAll, describe, expect, it } from 'vitest';
import { type Answer, codeOf } from '../../fixtures/call.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { type Staff, staffOf, type Venue, venueOf } from '../../workers/events/staff.ts';
import { faceOf, imageOf } from '../../workers/events/test-image.ts';

let staff: Staff;
let venue: Venue;
let people = 0;

beforeAll(async () => {
  staff = await staffOf(await migrate(), 'org-two-people');
  venue = await venueOf(staff);
});

const photoOf = (person: string, unlike = 0) => imageOf({ faces: [faceOf(person, 0, { unlike })] });
const detailsOf = ({ body }: Answer) => (body as { error: { details: object } }).error.details;

const register = (name: string, photo: File | File[]) =>
  staff.send(`POST /register-attendee/${venue.eventId}`, {
    name,
    email: `two-people-${people++}@example.com`,
    photo,
    consent: 'true',
    consent_text: 'I agree.',
  });
const add = (attendee_id: string, photo: File | File[]) =>
  staff.send(`POST /register-attendee/${venue.eventId}`, { attendee_id, photo });

async function registered(name: string, photo = photoOf(name)): Promise<string> {
  const answer = await register(name, photo);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return (answer.body as { id: string }).id;
}

async function foundBy(image: File): Promise<unknown[]> {
  const { body } = await staff.send('POST /v1/search', { image, collection: venue.eventId });
  return (body as { matches: unknown[] }).matches;
}

describe('I-05: one attendee is one person:', () => {
  it('photos of two people in one call make nobody', async () => {
    const answer = await register('uma', [photoOf('uma'), photoOf('vic')]);
    expect([answer.status, codeOf(answer)]).toEqual([400, 'VALIDATION_ERROR']);
    expect(detailsOf(answer)).toEqual({ reason: 'photos_unlike', photos: [0, 1] });
    expect(await foundBy(photoOf('vic'))).toEqual([]);
  });

  it('a photo that is added later shows whom the stored ones show', async () => {
    const id = await registered('wes');
    expect((await add(id, photoOf('wes', 0.2))).status).toBe(201);
    const other = await add(id, [photoOf('wes'), photoOf('xia')]);
    expect([other.status, codeOf(other)]).toEqual([400, 'VALIDATION_ERROR']);
    const alone = await add(id, photoOf('xia'));
    expect(detailsOf(alone)).toEqual({ reason: 'photos_unlike', photos: [0] });
    expect(await foundBy(photoOf('xia'))).toEqual([]);
  });

  it('after all faces were removed the next photo begins anew', async () => {
    const id = await registered('yan');
    expect((await staff.ask(`DELETE /attendees/${venue.eventId}/${id}/faces`)).status).toBeLessThan(300);
    expect((await add(id, photoOf('zoe'))).status).toBe(201);
  });

  it('a merge says how like the two are, in its answer and in the audit trail', async () => {
    const [alike, ada, other] = [
      await registered('ada 2', photoOf('ada', 0.1)),
      await registered('ada'),
      await registered('ben'),
    ];
    const merge = async (from: string) =>
      (await staff.ask(`POST /attendees/${venue.eventId}/${from}/merge`, { json: { into: ada, reason: 'same' } }))
        .body as { similarity: number };
    expect((await merge(alike)).similarity).toBeGreaterThan(0.9);
    const unlike = (await merge(other)).similarity;
    expect(unlike).toBeLessThan(0.5);
    const { body } = await staff.ask(`GET /events/${venue.eventId}/corrections`);
    const [, last] = (body as { corrections: { change: object }[] }).corrections;
    expect(last?.change).toMatchObject({ similarity: unlike, attendee_id: ada });
  });
});
