import { listDurableObjectIds } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { eraseAttendee } from '../../../../application/events/attendees/erase-attendee.ts';
import { ingestFrame } from '../../../../application/events/frames/ingest-frame.ts';
import { openCameraFor } from '../../../../application/events/frames/open-camera.ts';
import { inferenceClient } from '../../../../application/events/inference/inference-client.ts';
import type { Database } from '../../../../data/database.ts';
import { eventsDatabase } from '../../../../data/events/database.ts';
import { openFrameResult } from '../../../../data/events/images/frame-result.ts';
import { faces, frames, timeline } from '../../../../data/events/schema.ts';
import { domainEvents } from '../../../../data/schema/audit.ts';
import { type Answer, codeOf } from '../../fixtures/call.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { type Staff, staffOf, type Venue, venueOf } from './staff.ts';
import { faceOf, imageOf } from './test-image.ts';

interface Frame {
  readonly frame_id: string;
  readonly faces: readonly {
    readonly embedding_stored: boolean;
    readonly rejection_reason: string;
    readonly match: { readonly attendee_id: string; readonly name: string; readonly similarity: number } | null;
  }[];
  readonly unknown: number;
  readonly entries: readonly { readonly type: string; readonly attendee_id: string; readonly first_seen_at: string }[];
}

let db: Database;
let staff: Staff;
let stranger: Staff;
let venue: Venue;
const attendeeIds = new Map<string, string>();
const NOW = Date.now();

beforeAll(async () => {
  db = await migrate();
  staff = await staffOf(db, 'org-frames');
  stranger = await staffOf(db, 'org-other-frames');
});

beforeEach(async () => {
  venue = await venueOf(staff);
  for (const person of ['ana', 'bo']) {
    const { body } = await staff.send(`POST /register-attendee/${venue.eventId}`, {
      name: person,
      email: `${person}@example.com`,
      photo: imageOf({ faces: [faceOf(person)] }),
      consent: 'true',
      consent_text: 'I agree.',
    });
    attendeeIds.set(person, (body as { id: string }).id);
  }
});

const at = (seconds: number) => new Date(NOW - 600_000 + seconds * 1_000).toISOString();
const send = (image: File, captured_at: string, by = staff) =>
  by.send(`POST /cameras/${venue.cameraId}/frames`, { image, captured_at });

async function taken(image: File, capturedAt: string): Promise<Frame> {
  const answer = await send(image, capturedAt);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body as Frame;
}

const events = () => eventsDatabase(env.EVENTS_DB);
const countOf = async (table: typeof frames | typeof timeline | typeof faces) =>
  (await events().select().from(table)).length;
const personsOf = ({ faces: seen }: Frame) => seen.map(({ match }) => match?.name ?? null);

describe('E-EVT-01: a movement is a record', () => {
  it('and no message of it goes anywhere', async () => {
    const dispatched = async () => (await listDurableObjectIds(env.WEBHOOK_DISPATCH)).length;
    const told = async () => (await db.select().from(domainEvents)).length;
    const before = [await dispatched(), await told()];
    const frame = await taken(imageOf({ faces: [faceOf('ana')] }), at(0));
    expect(frame.entries).toMatchObject([{ type: 'entered' }]);
    expect([await dispatched(), await told()]).toEqual(before);
  });
});

describe('POST /cameras/{id}/frames', () => {
  it('recognizes attendees, and writes an entry for each on the timeline', async () => {
    const frame = await taken(imageOf({ faces: [faceOf('ana'), faceOf('bo', 1)] }), at(0));
    expect(personsOf(frame)).toEqual(['ana', 'bo']);
    expect(frame.faces[0]?.match).toMatchObject({ attendee_id: attendeeIds.get('ana') });
    expect(frame.entries.map(({ type, attendee_id }) => [type, attendee_id]).toSorted()).toEqual(
      [attendeeIds.get('ana'), attendeeIds.get('bo')].map((id) => ['entered', id]).toSorted(),
    );
    expect(frame.entries[0]?.first_seen_at).toBe(at(0));
  });

  it('takes the image as the body too, with captured_at in the query', async () => {
    const body = await imageOf({ faces: [faceOf('ana')] }).arrayBuffer();
    const target = `POST /cameras/${venue.cameraId}/frames?captured_at=${encodeURIComponent(at(0))}`;
    const answer = await staff.ask(target, { body, headers: { 'content-type': 'image/png' } });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect(personsOf(answer.body as Frame)).toEqual(['ana']);
    const misspelt = await staff.ask(target.replace('captured_at', 'capturedAt'), {
      body,
      headers: { 'content-type': 'image/png' },
    });
    expect(misspelt.status).toBe(400);
  });

  it('keeps no embedding of a face in it, known or unknown', async () => {
    const before = await countOf(faces);
    const frame = await taken(imageOf({ faces: [faceOf('ana'), faceOf('nobody', 1)] }), at(0));
    expect(frame).toMatchObject({ unknown: 1 });
    expect(frame.faces.map(({ embedding_stored }) => embedding_stored)).toEqual([false, false]);
    expect(frame.faces.every(({ rejection_reason }) => rejection_reason !== '')).toBe(true);
    expect(await countOf(faces)).toBe(before);
    const query = { image: imageOf({ faces: [faceOf('nobody')] }), collection: venue.eventId };
    expect((await staff.send('POST /v1/search', query)).body).toMatchObject({ matches: [] });
  });

  it('matches no face of poor quality, and counts it as nobody unknown', async () => {
    const blurred = faceOf('ana', 0, { quality: { blur: 0.7 } });
    const frame = await taken(imageOf({ faces: [blurred] }), at(0));
    expect(personsOf(frame)).toEqual([null]);
    expect(frame.faces[0]?.rejection_reason).toBe('blur 0.7 is above 0.5');
    expect(frame).toMatchObject({ unknown: 0, entries: [] });
  });

  it('I-05: leaves to people which of two faces a person is', async () => {
    const frame = await taken(imageOf({ faces: [faceOf('ana', 0, { unlike: 0.2 }), faceOf('ana', 1)] }), at(0));
    expect(personsOf(frame)).toEqual([null, null]);
    expect(frame).toMatchObject({ unknown: 2, entries: [], faces: [{ in_review: false }, { in_review: true }] });
    const { body } = await staff.ask(`GET /events/${venue.eventId}/reviews`);
    expect((body as { reviews: unknown[] }).reviews).toHaveLength(1);
  });

  it('sent twice, or several times at once, is one frame with one answer', async () => {
    const before = [await countOf(frames), await countOf(timeline)] as const;
    const image = imageOf({ faces: [faceOf('ana')] });
    const answers = await Promise.all(Array.from({ length: 4 }, () => taken(image, at(0))));
    answers.push(await taken(image, at(0)));
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect([await countOf(frames), await countOf(timeline)]).toEqual([before[0] + 1, before[1] + 1]);
  });

  it('that is on its way while somebody in it is erased keeps nothing of them', async () => {
    const scope = { tenant: staff.owner, userId: staff.userId, mayReadAttendees: true, mayBindCameras: true };
    const camera = await openCameraFor(env, scope, venue.cameraId);
    if (camera === null) throw new Error('no camera');
    const [ana = '', bo = ''] = ['ana', 'bo'].map((person) => attendeeIds.get(person));
    // Recognized, and not written down yet.
    const put = async (...given: Parameters<R2Bucket['put']>) => {
      await eraseAttendee(env, camera.open, ana);
      return env.EVENT_IMAGES.put(...given);
    };
    const EVENT_IMAGES = new Proxy(env.EVENT_IMAGES, {
      get: (bucket, name) => (name === 'put' ? put : (Reflect.get(bucket, name) as () => unknown).bind(bucket)),
    });
    const caller = { requestId: 'r', organization: staff.owner, tenant: staff.owner };
    const image = imageOf({ faces: [faceOf('ana'), faceOf('bo', 1)] });
    const frame = { capturedAt: Date.parse(at(0)), image: new Uint8Array(await image.arrayBuffer()) };
    const taken = await ingestFrame({ ...env, EVENT_IMAGES }, inferenceClient(env, caller), camera, frame);
    if (!taken.ok) throw new Error(taken.error.reason);
    expect(taken.value.faces.map(({ match }) => match?.attendee?.id ?? null)).toEqual([null, bo]);
    expect(taken.value).toMatchObject({ unknown: 1, hasMoved: true, entries: [{ person: { attendeeId: bo } }] });
    const [row] = await events().select().from(frames).where(eq(frames.id, taken.value.frameId));
    if (row === undefined) throw new Error('no frame');
    const stored = JSON.stringify(await openFrameResult(camera.open.key, row.id, row.sealedResult));
    expect([stored.includes(ana), stored.includes(bo), row.matched]).toEqual([false, true, 1]);
  });

  it('in any order leaves the same timeline', async () => {
    const image = () => imageOf({ faces: [faceOf('ana')] });
    await taken(image(), at(40));
    await taken(image(), at(0));
    const last = await taken(image(), at(20));
    expect(last.entries).toEqual([
      expect.objectContaining({ first_seen_at: at(0), last_seen_at: at(40), attendee_id: attendeeIds.get('ana') }),
    ]);
  });

  it('refuses a time that cannot be', async () => {
    for (const time of ['yesterday', '2026-11-21', new Date(NOW + 3_600_000).toISOString(), '2020-01-01T00:00:00Z'])
      expect(codeOf(await send(imageOf({}), time))).toBe('VALIDATION_ERROR');
    const answer = await staff.send(`POST /cameras/${venue.cameraId}/frames`, { image: imageOf({}) });
    expect(codeOf(answer)).toBe('VALIDATION_ERROR');
  });

  it('is not lost to a camera whose models are away: it is told when to send it again', async () => {
    const image = imageOf({ faces: [faceOf('ana')], fault: { kind: 'killed', times: 2 } });
    const refused = await send(image, at(0));
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2']);
    const frame = await taken(image, at(0));
    expect(frame.entries).toHaveLength(1);
  });

  it('is sealed, with who was in it', async () => {
    await taken(imageOf({ faces: [faceOf('ana')] }), at(0));
    const rows = JSON.stringify(await events().select().from(frames));
    expect(rows).not.toContain(attendeeIds.get('ana') ?? 'nobody');
    const { objects } = await env.EVENT_IMAGES.list();
    const frame = objects.find(({ key }) => key.includes('/frame/'));
    expect(await (await env.EVENT_IMAGES.get(frame?.key ?? ''))?.text()).not.toContain('person');
  });

  it('is taken from no other tenant', async () => {
    const answer = await send(imageOf({ faces: [faceOf('ana')] }), at(0), stranger);
    expect([answer.status, codeOf(answer)]).toEqual([404, 'NOT_FOUND']);
  });
});

describe('POST /cameras/{id}/frames/batch', () => {
  const batch = (image: readonly (File | string)[], captured_at: readonly string[]): Promise<Answer> =>
    staff.send(`POST /cameras/${venue.cameraId}/frames/batch`, {
      image: image as readonly File[],
      captured_at,
    });

  it('takes the other frames where one has no time, or is no file, and a leap second for a time', async () => {
    const images = [faceOf('ana'), faceOf('bo'), faceOf('cy')].map((face) => imageOf({ faces: [face] }));
    const { body } = await batch([images[0]!, 'no file', images[1]!, images[2]!], ['yesterday', at(21), at(22), '']);
    const { frames: answers } = body as { frames: (Frame & { error?: { code: string; details: object } })[] };
    expect(answers.map((one) => one.error?.details ?? personsOf(one))).toEqual([
      { field: 'captured_at' },
      { field: 'image' },
      ['bo'],
      { field: 'captured_at' },
    ]);
    const leap = await batch([images[0]!], ['2016-12-31T23:59:60Z']);
    expect(leap.body).toMatchObject({ frames: [{ error: { details: { reason: 'before_the_event' } } }] });
  });

  it('answers each frame for itself, in their order', async () => {
    const images = [
      imageOf({ faces: [faceOf('ana')] }),
      imageOf({ fault: { kind: 'code', code: 'INVALID_IMAGE', details: { reason: 'truncated' } } }),
      imageOf({ faces: [faceOf('bo')] }),
      imageOf({ fault: { kind: 'code', code: 'OVERLOADED' } }),
    ];
    const { body } = await batch(images, [at(5), at(1), at(0), at(2)]);
    const { frames: answers } = body as { frames: (Frame & { error?: { code: string; retry_after: number } })[] };
    expect(answers.map((one) => one.error?.code ?? personsOf(one))).toEqual([
      ['ana'],
      'VALIDATION_ERROR',
      ['bo'],
      'SERVICE_UNAVAILABLE',
    ]);
    expect(answers[3]?.error?.retry_after).toBe(3);
  });

  it('wants a time for each image, and takes sixteen at most', async () => {
    expect(codeOf(await batch([imageOf({}), imageOf({})], [at(0)]))).toBe('VALIDATION_ERROR');
    const many = Array.from({ length: 17 }, () => imageOf({}));
    const times = many.map((_, index) => at(index));
    expect(codeOf(await batch(many, times))).toBe('VALIDATION_ERROR');
    expect((await batch(many.slice(1), times.slice(1))).status).toBe(200);
  });
});
