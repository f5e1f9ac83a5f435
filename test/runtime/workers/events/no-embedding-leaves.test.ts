import { beforeAll, expect, it, vi } from 'vitest';
import { migrate } from '../../fixtures/migrate.ts';
import { type Staff, staffOf, venueOf } from './staff.ts';
import { faceOf, imageOf } from './test-image.ts';

let staff: Staff;

beforeAll(async () => {
  staff = await staffOf(await migrate(), 'org-embeddings');
});

/** As many numbers in a row as no answer has reason to hold, or as much base64 as the shortest embedding has. */
const EMBEDDING = /(-?\d+(\.\d+)?(e-?\d+)?\s*,\s*){32}|[A-Za-z0-9+/_-]{300,}={0,2}/;
const NAMES = /embedding"?\s*[:=]\s*(\[|")|"vector"/;

it('no embedding is in any answer or log line', async () => {
  const written: string[] = [];
  for (const level of ['log', 'info', 'warn', 'error', 'debug'] as const) {
    vi.spyOn(console, level).mockImplementation((...words: unknown[]) => {
      written.push(words.map(String).join(' '));
    });
  }
  const answers: string[] = [];
  const send = async (target: string, fields: Parameters<Staff['send']>[1]) => {
    const { body } = await staff.send(target, fields);
    answers.push(JSON.stringify(body));
    return body as Record<string, unknown>;
  };
  const read = async (target: string) => answers.push(JSON.stringify((await staff.ask(target)).body));

  const { eventId, cameraId } = await venueOf(staff);
  const photo = () => imageOf({ faces: [faceOf('ana')] });
  const form = { name: 'Ana', email: 'ana@example.com', consent: 'true', consent_text: 'I agree.' };
  const { id } = await send(`POST /register-attendee/${eventId}`, { ...form, photo: photo() });
  await send('POST /v1/faces', { image: photo(), collection: eventId });
  await send('POST /v1/search', { image: photo(), collection: eventId });
  const vector = JSON.stringify(Array.from({ length: 128 }, () => 1));
  await send('POST /v1/search', { embedding: vector, collection: eventId });
  await send('POST /v1/search', { embedding: vector.replace(',1', ''), collection: eventId });
  await send('POST /v1/search', { embedding: 'nonsense', collection: eventId });
  await send(`POST /cameras/${cameraId}/frames`, { image: photo(), captured_at: new Date().toISOString() });
  for (const target of [
    `/attendees/${eventId}`,
    `/attendees/${eventId}/${id}`,
    `/attendees/${eventId}/${id}/export`,
    `/v1/collections/${eventId}/faces`,
    `/v1/collections/${eventId}/reembed`,
    `/events/${eventId}`,
    `/timeline?event_id=${eventId}`,
  ])
    await read(`GET ${target}`);
  vi.restoreAllMocks();

  expect(written.length).toBeGreaterThan(10);
  for (const text of [...answers, ...written]) {
    expect(text).not.toMatch(EMBEDDING);
    expect(text).not.toMatch(NAMES);
  }
  // What it looks for is what embeddings look like.
  expect(vector).toMatch(EMBEDDING);
  expect(btoa(String.fromCharCode(...new Uint8Array(512).map((_, at) => at % 251)))).toMatch(EMBEDDING);
});
