import { beforeAll, describe, expect, it } from 'vitest';
import { type Answer, codeOf } from '../../fixtures/call.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { type Staff, staffOf, type Venue, venueOf } from '../../workers/events/staff.ts';
import { faceOf, imageOf } from '../../workers/events/test-image.ts';

const OWNER = 'org-stolen-camera';
const NOW = Date.now();
const MINUTE_MS = 60_000;

let admin: Staff;
let camera: Staff;
let stranger: Staff;
let venue: Venue;

beforeAll(async () => {
  const db = await migrate();
  admin = await staffOf(db, OWNER);
  camera = await staffOf(db, OWNER, ['event_camera']);
  stranger = await staffOf(db, 'org-stolen-camera-2');
  venue = await venueOf(admin);
  const registered = await admin.send(`POST /register-attendee/${venue.eventId}`, {
    name: 'Ana Lima',
    email: 'ana@example.com',
    photo: imageOf({ faces: [faceOf('ana')] }),
    consent: 'true',
    consent_text: 'I agree.',
  });
  expect(registered.status).toBe(201);
  expect((await bind(venue.cameraId)).status).toBe(200);
});

const bind = (cameraId: string, by = admin) => by.ask(`PUT /cameras/${cameraId}/credentials/${camera.userId}`);
const end = (cameraId: string, by = admin) => by.ask(`DELETE /cameras/${cameraId}/credentials/${camera.userId}`);
const minutesAgo = (minutes: number) => new Date(NOW - minutes * MINUTE_MS).toISOString();
const ana = () => imageOf({ faces: [faceOf('ana')] });
const send = (image: File, captured_at: string, by = camera, cameraId = venue.cameraId) =>
  by.send(`POST /cameras/${cameraId}/frames`, { image, captured_at });
const sendBatch = (images: readonly File[], captured_at: readonly string[], by = camera, cameraId = venue.cameraId) =>
  by.send(`POST /cameras/${cameraId}/frames/batch`, { image: images, captured_at });

async function timeline(): Promise<{ first_seen_at: string; late: boolean }[]> {
  const { body } = await admin.ask(`GET /timeline?event_id=${venue.eventId}`);
  return (body as { entries: { first_seen_at: string; late: boolean }[] }).entries;
}

const detailsOf = ({ body }: Answer) => (body as { error: { details: object } }).error.details;

describe('I-03: a camera’s credential', () => {
  it('is told that its frame was taken, and no name, id or score of anybody', async () => {
    const image = ana();
    const first = await send(image, minutesAgo(1));
    expect([first.status, first.body]).toEqual([200, { frame_id: expect.any(String) }]);
    expect((await send(image, minutesAgo(1))).body).toEqual(first.body);
    const unknown = await send(imageOf({ faces: [faceOf('nobody')] }), minutesAgo(1));
    expect(Object.keys(unknown.body as object)).toEqual(['frame_id']);
    const batch = await sendBatch([ana(), ana()], [minutesAgo(1), minutesAgo(1)]);
    expect(batch.body).toEqual({ frames: [1, 2].map(() => ({ frame_id: expect.any(String) })) });
    const read = await send(image, minutesAgo(1), admin);
    expect(read.body).toMatchObject({ faces: [{ match: { name: 'Ana Lima' } }] });
  });

  it('speaks for the cameras that it is bound to, and tells of no other whether it exists', async () => {
    const other = await venueOf(admin);
    for (const cameraId of [other.cameraId, crypto.randomUUID()]) {
      expect((await send(ana(), minutesAgo(1), camera, cameraId)).status).toBe(404);
      expect((await sendBatch([ana(), ana()], [minutesAgo(1), minutesAgo(1)], camera, cameraId)).status).toBe(404);
    }
    expect((await bind(other.cameraId)).status).toBe(200);
    expect((await send(ana(), minutesAgo(1), camera, other.cameraId)).status).toBe(200);
  });

  it('is no staff’s: whoever works at an event sends as the cameras that they were bound to, and as no other', async () => {
    const operator = await staffOf(await migrate(), OWNER, ['event_operator']);
    const other = await venueOf(admin);
    for (const cameraId of [venue.cameraId, other.cameraId]) {
      expect((await send(ana(), minutesAgo(1), operator, cameraId)).status).toBe(404);
      expect((await sendBatch([ana()], [minutesAgo(1)], operator, cameraId)).status).toBe(404);
    }
    expect((await admin.ask(`PUT /cameras/${venue.cameraId}/credentials/${operator.userId}`)).status).toBe(200);
    const sent = await send(ana(), minutesAgo(1), operator);
    expect(sent).toMatchObject({ status: 200, body: { faces: [{ match: { name: 'Ana Lima' } }] } });
    expect((await send(ana(), minutesAgo(1), operator, other.cameraId)).status).toBe(404);
  });

  it('is bound and ended by those who set up cameras of its organization alone', async () => {
    const other = await venueOf(admin);
    for (const by of [camera, stranger]) {
      expect([403, 404]).toContain((await bind(other.cameraId, by)).status);
      expect([403, 404]).toContain((await end(venue.cameraId, by)).status);
    }
    expect((await send(ana(), minutesAgo(1), camera, other.cameraId)).status).toBe(404);
    expect((await send(ana(), minutesAgo(1))).status).toBe(200);
  });

  it('sends nothing once an admin has ended it, from the next request on', async () => {
    const other = await venueOf(admin);
    await bind(other.cameraId);
    expect((await send(ana(), minutesAgo(1), camera, other.cameraId)).status).toBe(200);
    expect((await end(other.cameraId)).status).toBe(204);
    expect((await send(ana(), minutesAgo(1), camera, other.cameraId)).status).toBe(404);
    const { body } = await admin.ask(`GET /cameras/${other.cameraId}/credentials`);
    expect(body).toEqual({ credentials: [] });
  });

  it('makes up no presence by the same picture at another time or camera', async () => {
    const other = await venueOf(admin);
    const door = await admin.ask('POST /cameras', {
      json: { room_id: venue.roomId, name: 'Exit', type: 'exit', source: 'rtsp://cameras.example/2' },
    });
    const exit = (door.body as { id: string }).id;
    const image = ana();
    expect((await send(image, minutesAgo(3), admin)).status).toBe(200);
    const entries = (await timeline()).length;
    for (const [time, cameraId] of [
      [minutesAgo(9), venue.cameraId],
      [minutesAgo(3), exit],
    ] as const) {
      const replayed = await send(image, time, admin, cameraId);
      expect([replayed.status, codeOf(replayed), detailsOf(replayed)]).toEqual([
        409,
        'CONFLICT',
        { reason: 'replayed' },
      ]);
    }
    expect(await timeline()).toHaveLength(entries);
    expect((await send(image, minutesAgo(3), admin, other.cameraId)).status).toBe(200);
  });

  it('sent at many times at once, one picture is one frame', async () => {
    const image = ana();
    const answers = await Promise.all([5, 6, 7, 8].map((minutes) => send(image, minutesAgo(minutes), admin)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409]);
  });

  it('marks what comes long after its time as late, in the timeline too', async () => {
    for (const minutes of [2, 30]) expect((await send(ana(), minutesAgo(minutes))).status).toBe(200);
    const entries = await timeline();
    const lateAt = (minutes: number) =>
      entries.find(({ first_seen_at }) => first_seen_at === minutesAgo(minutes))?.late;
    expect([lateAt(2), lateAt(30)]).toEqual([false, true]);
  });
});
