import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { removeVectors } from '../../../../application/events/collections/gallery-shards.ts';
import { openEventCollection } from '../../../../application/events/collections/open-collection.ts';
import { addPhotosOf } from '../../../../data/events/attendees/register-attendee.ts';
import { eventsDatabase } from '../../../../data/events/database.ts';
import { faces, photos } from '../../../../data/events/schema.ts';
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

const db = () => eventsDatabase(env.EVENTS_DB);
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

  it('photos that two calls add at once are compared with each other, too', async () => {
    const id = await registered('una');
    await staff.ask(`DELETE /attendees/${venue.eventId}/${id}/faces`);
    const both = await Promise.all([add(id, photoOf('una')), add(id, photoOf('vera'))]);
    const statuses = both.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    expect([400, 409]).toContain(statuses.find((status) => status !== 201));
    const found = [await foundBy(photoOf('una')), await foundBy(photoOf('vera'))].flat();
    expect(found).toHaveLength(1);
  });

  it('a photo is not confirmed beside one that it was not compared with', async () => {
    const id = await registered('wim');
    const open = (await openEventCollection(env, 'org-two-people', venue.eventId))!;
    const attendeeTag = await open.key.tag('attendee', id);
    const of = {
      eventId: venue.eventId,
      collectionId: open.collection.id,
      attendeeId: id,
      attendeeTag,
      now: Date.now(),
    };
    const [stored] = await db().select().from(photos).where(eq(photos.attendeeTag, attendeeTag));
    if (stored === undefined) throw new Error('fixture: no photo');
    const added = { ...stored, id: crypto.randomUUID(), objectKey: 'none', storedAt: null };
    await db().insert(photos).values(added);
    expect(await addPhotosOf(db(), of, { photoIds: [added.id], comparedWith: [] })).toBe(false);
    expect(await addPhotosOf(db(), of, { photoIds: [added.id], comparedWith: [stored.id] })).toBe(true);
    // Sent again, it stands.
    expect(await addPhotosOf(db(), of, { photoIds: [added.id], comparedWith: [stored.id] })).toBe(true);
  });

  it('whoever was merged of two who are unlike gets more photos of either, and of nobody else', async () => {
    const [from, into] = [await registered('xaver'), await registered('yves')];
    const merge = { into, reason: 'twins who swapped badges' };
    await staff.ask(`POST /attendees/${venue.eventId}/${from}/merge`, { json: merge });
    for (const name of ['xaver', 'yves', 'xaver']) expect((await add(into, photoOf(name, 0.1))).status, name).toBe(201);
    expect(detailsOf(await add(into, photoOf('zita')))).toEqual({ reason: 'photos_unlike', photos: [0] });
    const mixed = await add(into, [photoOf('xaver'), photoOf('yves')]);
    expect([mixed.status, detailsOf(mixed)]).toEqual([400, { reason: 'photos_unlike', photos: [0, 1] }]);
  });

  it('whose faces the model has all looked for in vain gets more photos, and whose faces wait for it does not', async () => {
    const id = await registered('abe');
    const open = (await openEventCollection(env, 'org-two-people', venue.eventId))!;
    const attendeeTag = await open.key.tag('attendee', id);
    const rows = await db().select().from(faces).where(eq(faces.attendeeTag, attendeeTag));
    await removeVectors(env, open, rows);
    const ofBefore = (passedOverBy: string | null) =>
      db().update(faces).set({ modelVersion: '0', passedOverBy }).where(eq(faces.attendeeTag, attendeeTag));
    await ofBefore(null);
    const waits = await add(id, photoOf('abe'));
    expect([waits.status, detailsOf(waits)]).toEqual([503, { reason: 'other_model' }]);
    await ofBefore(JSON.stringify(['stand-in', '1']));
    expect((await add(id, photoOf('abe'))).status).toBe(201);
    // From here on there is something to compare.
    expect(detailsOf(await add(id, photoOf('bea')))).toEqual({ reason: 'photos_unlike', photos: [0] });
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
    const last = (body as { corrections: { change: object }[] }).corrections.at(-1);
    expect(last?.change).toMatchObject({ similarity: unlike, attendee_id: ada });
  });
});
