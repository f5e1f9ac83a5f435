import { listDurableObjectIds, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { foldAddresses } from '../../../../application/events/attendees/fold-addresses.ts';
import { openEventCollection } from '../../../../application/events/collections/open-collection.ts';
import { eventsDatabase } from '../../../../data/events/database.ts';
import { attendees as attendeeRows } from '../../../../data/events/schema.ts';
import { type Answer, codeOf } from '../../fixtures/call.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { type FormFields, type Staff, staffOf, type Venue, venueOf } from './staff.ts';
import { faceOf, imageOf } from './test-image.ts';

interface Registered {
  readonly id: string;
  readonly name: string;
  readonly faces: readonly { readonly id: string; readonly embedding_stored: boolean }[];
}

let staff: Staff;
let stranger: Staff;
let venue: Venue;

beforeAll(async () => {
  const db = await migrate();
  staff = await staffOf(db, 'org-registration');
  stranger = await staffOf(db, 'org-other-registration');
  venue = await venueOf(staff);
});

const detailsOf = ({ body }: Answer) => (body as { error: { details: Record<string, unknown> } }).error.details;
const photoOf = (person: string, unlike = 0) => imageOf({ faces: [faceOf(person, 0, { unlike })] });
let people = 0;

/** Fields of a registration that passes. */
function formOf(person: string, changes: Record<string, unknown> = {}): FormFields {
  const email = `person-${people++}@example.com`;
  const form = { name: person, email, photo: photoOf(person), consent: 'true', consent_text: 'I agree.', ...changes };
  return Object.fromEntries(Object.entries(form).filter(([, value]) => value !== undefined)) as FormFields;
}

const register = (form: FormFields, headers = {}, by = staff) =>
  by.send(`POST /register-attendee/${venue.eventId}`, form, headers);

async function registered(form: FormFields, headers = {}): Promise<Registered> {
  const answer = await register(form, headers);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body as Registered;
}

async function found(image: File): Promise<{ face_id: string; similarity: number; metadata: unknown }[]> {
  const { body } = await staff.send('POST /v1/search', { image, collection: venue.eventId });
  return (body as { matches: { face_id: string; similarity: number; metadata: unknown }[] }).matches;
}

async function attendees(): Promise<string[]> {
  const { body } = await staff.ask(`GET /attendees/${venue.eventId}`);
  return (body as { attendees: { id: string }[] }).attendees.map(({ id }) => id);
}

/** All that lies in the objects that keep Idempotency-Keys. */
async function keptForIdempotencyKeys(): Promise<string> {
  const ids = await listDurableObjectIds(env.IDEMPOTENCY_KEYS);
  const rowsOf = (id: DurableObjectId) =>
    runInDurableObject(env.IDEMPOTENCY_KEYS.get(id), (_, { storage }) =>
      storage.sql.exec('SELECT * FROM keys').toArray(),
    );
  return JSON.stringify(await Promise.all(ids.map(rowsOf)));
}

const imagesStored = async () => (await env.EVENT_IMAGES.list()).objects.length;

describe('POST /register-attendee/{event_id}', () => {
  it('stores the face under name, email and consent, and search names the attendee', async () => {
    const answer = await registered(formOf('ana', { name: 'Ana Lima', email: 'ana@example.com' }));
    expect(answer).toEqual({
      id: expect.any(String),
      event_id: venue.eventId,
      name: 'Ana Lima',
      email: 'ana@example.com',
      consent: { given_at: expect.any(String), taken_by: staff.userId, text: 'I agree.' },
      created_at: expect.any(String),
      faces: [
        {
          id: expect.any(String),
          bbox: [10, 20, 130, 140],
          confidence: 0.98,
          quality: { blur: 0.1, yaw: 2, pitch: -1, face_size: 120 },
          embedding_stored: true,
        },
      ],
    });
    const [match] = await found(photoOf('ana'));
    expect(match).toMatchObject({
      face_id: answer.faces[0]?.id,
      metadata: { name: 'Ana Lima', attendee_id: answer.id },
    });
  });

  it('I-19: keeps what somebody has agreed to, which says who, sealed alone', async () => {
    const text = 'I, Ina Ödegård, born on 3 May 1990, agree.';
    const { id } = await registered(formOf('ina', { consent_text: text }));
    const row = await env.EVENTS_DB.prepare('SELECT * FROM attendees WHERE id = ?').bind(id).first();
    expect(JSON.stringify(row)).not.toContain('born on');
    const target = `GET /attendees/${venue.eventId}/${id}`;
    expect((await staff.ask(target)).body).toMatchObject({ consent: { text } });
    expect(JSON.stringify((await staff.ask(`${target}/export`)).body)).toContain(text);
  });

  it('I-19: shows the text of an attendee of before, beside whose profile it lies', async () => {
    const { id } = await registered(formOf('ivo'));
    const { key } = (await openEventCollection(env, 'org-registration', venue.eventId))!;
    const profile = new TextEncoder().encode(JSON.stringify({ name: 'Ivo', email: 'ivo@example.com' }));
    const sealed = await key.seal(profile, ['profile', id]);
    await env.EVENTS_DB.prepare('UPDATE attendees SET sealed_profile = ?, consent_text = ? WHERE id = ?')
      .bind(sealed, 'Agreed before.', id)
      .run();
    expect((await staff.ask(`GET /attendees/${venue.eventId}/${id}`)).body).toMatchObject({
      name: 'Ivo',
      consent: { text: 'Agreed before.' },
    });
  });

  it('takes several photos, and a match is by the best of them', async () => {
    const { id } = await registered(formOf('bea', { photo: [photoOf('bea', 0.45), photoOf('bea')] }));
    const matches = await found(photoOf('bea'));
    expect(matches).toHaveLength(1);
    expect(matches[0]).toMatchObject({ metadata: { attendee_id: id } });
    expect(matches[0]?.similarity).toBeCloseTo(1, 5);
  });

  it('with attendee_id adds photos to an attendee', async () => {
    const { id } = await registered(formOf('cleo', { photo: photoOf('cleo', 0.45) }));
    const before = (await found(photoOf('cleo')))[0]?.similarity ?? 0;
    const more = await registered({ attendee_id: id, photo: photoOf('cleo') });
    expect(more).toMatchObject({ id, name: 'cleo' });
    const matches = await found(photoOf('cleo'));
    expect(matches).toHaveLength(1);
    expect(matches[0]?.similarity).toBeGreaterThan(before);
    const unknown = await register({ attendee_id: crypto.randomUUID(), photo: photoOf('cleo') });
    expect(unknown.status).toBe(404);
  });

  it.each([
    ['no face', { faces: [] }, 'no_face'],
    ['two good faces', { faces: [faceOf('x'), faceOf('y', 1)] }, 'several_faces'],
    [
      'a poor face that is much larger than the good one',
      { faces: [faceOf('x', 0, { bbox: [0, 0, 148, 148], quality: { blur: 0.8 } }), faceOf('y', 3)] },
      'larger_face',
    ],
  ])('refuses a photo with %s, says which one, and stores nothing', async (_, image, reason) => {
    const before = [await imagesStored(), await attendees()];
    const answer = await register(formOf('x', { photo: [photoOf('dora'), imageOf(image)] }));
    expect([answer.status, codeOf(answer)]).toEqual([400, 'VALIDATION_ERROR']);
    expect(detailsOf(answer)).toMatchObject({ photos: [{ photo: 1, reason }] });
    expect([await imagesStored(), await attendees()]).toEqual(before);
    expect(await found(photoOf('dora'))).toEqual([]);
  });

  const POOR = [
    ['blur', { quality: { blur: 0.8 } }, 'blur 0.8 is above 0.5'],
    ['yaw', { quality: { yaw: -41.5 } }, 'yaw -41.5 degrees is beyond 30 degrees'],
    ['pitch', { quality: { pitch: 31 } }, 'pitch 31 degrees is beyond 30 degrees'],
    ['face size', { bbox: [400, 20, 460, 80] }, 'face_size 60 px is below 80 px'],
    ['its orientation', { quality: { misaligned: 'not_upright' } }, 'not_upright: the face cannot be turned upright'],
  ] as const;

  it.each(POOR)(
    'E-07: answers a photo that is poor by %s with its reason, and registers nobody',
    async (_, terms, reason) => {
      const before = [await imagesStored(), await attendees()];
      const poor = imageOf({ faces: [faceOf('x', 0, terms)] });
      const answer = await register(formOf('x', { photo: poor }));
      expect([answer.status, answer.body]).toMatchObject([
        200,
        { id: null, registered: false, faces: [{ embedding_stored: false, rejection_reason: reason }] },
      ]);
      expect([await imagesStored(), await attendees()]).toEqual(before);
    },
  );

  it('E-07: stores the good ones of several photos, and says why the others are not', async () => {
    const poor = imageOf({ faces: [faceOf('kim', 0, { quality: { blur: 0.8 } })] });
    const images = await imagesStored();
    const { id, faces } = await registered(formOf('kim', { photo: [poor, photoOf('kim')] }));
    expect(faces).toMatchObject([
      { embedding_stored: true },
      { embedding_stored: false, rejection_reason: 'blur 0.8 is above 0.5' },
    ]);
    expect(new Set(faces.map((face) => face.id)).size).toBe(2);
    expect(await imagesStored()).toBe(images + 1);
    expect(await found(photoOf('kim'))).toMatchObject([{ face_id: faces[0]!.id, metadata: { attendee_id: id } }]);
    const more = await register({ attendee_id: id, photo: poor });
    expect([more.status, more.body]).toMatchObject([
      200,
      { id, registered: true, faces: [{ embedding_stored: false }] },
    ]);
    expect((await register({ attendee_id: id, photo: [poor, photoOf('kim', 0.1)] })).status).toBe(201);
    expect(await imagesStored()).toBe(images + 2);
  });

  it('E-08: registers the one good face among poor ones, and says that others were seen', async () => {
    for (const count of [1, 5]) {
      const poor = Array.from({ length: count }, (_, at) => faceOf(`passer ${at}`, at + 1, POOR[at % POOR.length]![1]));
      const { id, faces } = await registered(
        formOf('lea', { photo: imageOf({ faces: [...poor, faceOf(`lea ${count}`)] }) }),
      );
      expect(faces.map(({ embedding_stored }) => embedding_stored)).toEqual([true, ...poor.map(() => false)]);
      expect(await found(photoOf(`lea ${count}`))).toMatchObject([{ metadata: { attendee_id: id } }]);
      expect(await found(photoOf('passer 0'))).toEqual([]);
    }
  });

  it('E-08: registers the good face beside a poor one that is as good as its size', async () => {
    const beside = faceOf('passer', 0, { bbox: [200, 0, 341, 141], quality: { blur: 0.8 } });
    const { id } = await registered(formOf('lou', { photo: imageOf({ faces: [beside, faceOf('lou')] }) }));
    expect(await found(photoOf('lou'))).toMatchObject([{ metadata: { attendee_id: id } }]);
  });

  it('wants name, email, photo and consent', async () => {
    for (const missing of ['name', 'email', 'photo', 'consent', 'consent_text'])
      expect(codeOf(await register(formOf('x', { [missing]: undefined })))).toBe('VALIDATION_ERROR');
    for (const wrong of [{ consent: 'false' }, { email: 'nobody' }, { name: ' ' }])
      expect(codeOf(await register(formOf('x', wrong)))).toBe('VALIDATION_ERROR');
    const none = await register(formOf('x', { consent: undefined, consent_text: undefined }));
    expect([codeOf(none), detailsOf(none)]).toMatchObject(['VALIDATION_ERROR', { field: 'consent' }]);
  });

  it('E-12: takes name, email and photo alone where the event states what attendees have agreed to', async () => {
    const event = { name: 'Fair', date: '2026-11-21', consent_text: 'Agreed at the ticket shop.' };
    const made = await staff.ask('POST /events', { json: event });
    expect(made).toMatchObject({ status: 201, body: { consent_text: event.consent_text } });
    const target = `POST /register-attendee/${(made.body as { id: string }).id}`;
    const { name, email, photo } = formOf('mo') as Record<'name' | 'email' | 'photo', string | File>;
    const answer = await staff.send(target, { name, email, photo });
    expect([answer.status, answer.body]).toMatchObject([
      201,
      { consent: { text: event.consent_text, taken_by: staff.userId } },
    ]);
    expect((await staff.send(target, formOf('nia', { consent_text: 'I agree.' }))).body).toMatchObject({
      consent: { text: 'I agree.' },
    });
  });

  it('E-15: takes an address beyond ASCII, and knows it again however it is spelt', async () => {
    const { id } = await registered(formOf('uni', { email: 'ünï@exämple.com' }));
    const again = await register(formOf('uni', { email: 'U\u0308NI\u0308@exämple.com' }));
    expect([again.status, detailsOf(again)]).toMatchObject([409, { attendee_id: id }]);
  });

  it.each(['nul\u0000name', 'tab\u0009name', 'A\u200bB', 'line\nbreak', 'A\u202eB'])(
    'E-16: refuses the name %j, of whatever has one',
    async (name) => {
      expect(codeOf(await register(formOf('x', { name })))).toBe('VALIDATION_ERROR');
      for (const [target, json] of [
        ['POST /events', { name, date: '2026-11-21' }],
        ['POST /rooms', { event_id: venue.eventId, name }],
        ['POST /cameras', { room_id: venue.roomId, name, type: 'entry', source: 'rtsp://10.0.0.7/x' }],
      ] as const)
        expect(codeOf(await staff.ask(target, { json })), target).toBe('VALIDATION_ERROR');
    },
  );

  it('refuses an email that is registered, in whatever case, with the attendee’s id', async () => {
    const { id } = await registered(formOf('eve', { email: 'eve@example.com' }));
    const answer = await register(formOf('eve again', { email: 'EVE@example.com' }));
    expect([answer.status, codeOf(answer)]).toEqual([409, 'CONFLICT']);
    expect(detailsOf(answer)).toMatchObject({ attendee_id: id });
  });

  it('knows an address in another spelling, and stores it as it was given', async () => {
    const email = 'Straße@münchen.example';
    const { id } = await registered(formOf('ina', { email }));
    const answer = await register(formOf('ina again', { email: 'STRASSE@xn--mnchen-3ya.example' }));
    expect(detailsOf(answer)).toMatchObject({ reason: 'email_registered', attendee_id: id });
    expect((await staff.ask(`GET /attendees/${venue.eventId}/${id}`)).body).toMatchObject({ email });
  });

  it('knows whoever registered before spellings were one: as they wrote it at once, in every spelling after the hourly job', async () => {
    const { id } = await registered(formOf('kai', { email: 'Weiß@köln.example' }));
    const open = await openEventCollection(env, 'org-registration', venue.eventId);
    const before = await open?.key.tag('email', 'weiß@köln.example');
    await env.EVENTS_DB.prepare('UPDATE attendees SET email_tag = ?1, email_fold = 0 WHERE id = ?2')
      .bind(before, id)
      .run();
    const again = (email: string) => register(formOf('kai again', { email }));
    expect(detailsOf(await again('WEIß@KÖLN.example'))).toMatchObject({ attendee_id: id });
    await foldAddresses(env);
    expect(detailsOf(await again('weiss@xn--kln-sna.example'))).toMatchObject({ attendee_id: id });
    expect(await eventsDatabase(env.EVENTS_DB).$count(attendeeRows, eq(attendeeRows.emailFold, false))).toBe(0);
  });

  it('of two at once with one email registers one, and nothing of the other', async () => {
    const email = 'twins@example.com';
    const answers = await Promise.all(['fay', 'gus'].map((person) => register(formOf(person, { email }))));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409]);
    const loser = answers[0]?.status === 201 ? 'gus' : 'fay';
    expect(await found(photoOf(loser))).toEqual([]);
  });

  it('repeated under its Idempotency-Key is one attendee, and the answer lies nowhere in the clear', async () => {
    const form = formOf('hana', { name: 'Hana Kept-Secret' });
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const images = await imagesStored();
    const first = await registered(form, headers);
    expect(await registered(form, headers)).toEqual(first);
    expect(await imagesStored()).toBe(images + 1);
    const kept = await keptForIdempotencyKeys();
    expect(kept).toContain(headers['idempotency-key']);
    expect(kept).not.toContain('Kept-Secret');
  });

  it('after a merge a match of either is the one who remains, once', async () => {
    const [one, other] = [
      await registered(formOf('jo')),
      await registered(formOf('jo', { photo: photoOf('jo', 0.1) })),
    ];
    const merge = { json: { into: one.id, reason: 'the same person' } };
    const target = `POST /attendees/${venue.eventId}/${other.id}/merge`;
    expect(await staff.ask(target, merge)).toMatchObject({ status: 200 });
    expect(await found(photoOf('jo'))).toMatchObject([{ metadata: { attendee_id: one.id } }]);
  });

  it('is reached by no other tenant', async () => {
    expect((await register(formOf('x'), {}, stranger)).status).toBe(404);
  });
});

describe('DELETE /attendees/{event_id}/{attendee_id}/faces', () => {
  it('deletes the faces and photos of an attendee, who stays', async () => {
    const before = await imagesStored();
    const { id } = await registered(formOf('ida', { photo: [photoOf('ida'), photoOf('ida', 0.1)] }));
    const target = `DELETE /attendees/${venue.eventId}/${id}/faces`;
    expect((await stranger.ask(target)).status).toBe(404);
    expect((await staff.ask(target)).body).toEqual({ faces_deleted: 2 });
    expect(await found(photoOf('ida'))).toEqual([]);
    expect(await imagesStored()).toBe(before);
    expect(await attendees()).toContain(id);
    expect((await staff.ask(target)).body).toEqual({ faces_deleted: 0 });
  });
});
