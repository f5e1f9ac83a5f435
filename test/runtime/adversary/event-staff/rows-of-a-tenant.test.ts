import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { shredExpired } from '../../../../application/events/retention/shred-expired.ts';
import { sweepEvents } from '../../../../application/events/sweep-events.ts';
import { userHolder } from '../../../../data/events/quotas/tenant-usage.ts';
import { DAY_MS } from '../../../../domain/calendar/durations.ts';
import { EVENT_BOUNDS, TRAIL_KEPT_YEARS } from '../../../../domain/events/event-bounds.ts';
import { TENANT_QUOTAS, USER_QUOTAS } from '../../../../domain/events/tenant-quotas.ts';
import { type Answer, codeOf } from '../../fixtures/call.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { type Staff, staffOf, type Venue, venueOf } from '../../workers/events/staff.ts';
import { faceOf, imageOf } from '../../workers/events/test-image.ts';

let tenants = 0;
let owner: string;
let admin: Staff;
let venue: Venue;

beforeAll(async () => {
  await migrate();
});

beforeEach(async () => {
  owner = `org-rows-${tenants++}`;
  admin = await staffOf(await migrate(), owner);
  venue = await venueOf(admin);
});

/** So many rows, each with `value` for its number. */
async function rows(count: number, table: string, columns: Readonly<Record<string, string>>): Promise<void> {
  await env.EVENTS_DB.prepare(
    `WITH RECURSIVE numbers (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM numbers WHERE value < ${count})
     INSERT INTO ${table} (${Object.keys(columns).join()}) SELECT ${Object.values(columns).join()} FROM numbers`,
  ).run();
}

const numbered = () => `'${owner}-' || printf('%06d', value)`;

function expectTooMany(answer: Answer, bound: keyof typeof EVENT_BOUNDS): void {
  expect([answer.status, codeOf(answer)]).toEqual([409, 'CONFLICT']);
  const details = { reason: 'too_many', [bound]: EVENT_BOUNDS[bound] };
  expect(answer.body).toMatchObject({ error: { details } });
}

describe('I-16: rows that staff of a tenant make', () => {
  it('of events are bounded, those that were deleted with them, and a refused one leaves no key', async () => {
    const columns = { name: "'Fair'", description: "''", date: '0', end_date: '0', created_by: "'x'", created_at: '0' };
    const deleted = { deleted_at: 'CASE WHEN value % 2 = 0 THEN 1 END' };
    const others = EVENT_BOUNDS.events_max - 2;
    await rows(others, 'events', { id: numbered(), tenant: `'${owner}'`, ...columns, ...deleted });
    const create = (by = admin) => by.ask('POST /events', { json: { name: 'Fair', date: '2026-11-21' } });
    expect((await create()).status).toBe(201);
    const keys = async () => (await env.EVENT_KEYS.list()).objects.length;
    const before = await keys();
    expectTooMany(await create(), 'events_max');
    expect(await keys()).toBe(before);
    expect((await create(await staffOf(await migrate(), `${owner}-other`))).status).toBe(201);
  });

  it('of rooms and cameras are bounded for an event', async () => {
    const own = { tenant: `'${owner}'`, event_id: `'${venue.eventId}'`, name: "'x'", created_at: '0' };
    await rows(EVENT_BOUNDS.rooms_max - 2, 'rooms', { id: numbered(), ...own });
    const camera = { room_id: `'${venue.roomId}'`, type: "'entry'", source: "'x'" };
    await rows(EVENT_BOUNDS.cameras_max - 2, 'cameras', { id: numbered(), ...own, ...camera });
    const room = () => admin.ask('POST /rooms', { json: { event_id: venue.eventId, name: 'Hall' } });
    const json = { room_id: venue.roomId, name: 'Door', type: 'entry', source: 'rtsp://cameras.example/1' };
    const door = () => admin.ask('POST /cameras', { json });
    expect([(await room()).status, (await door()).status]).toEqual([201, 201]);
    expectTooMany(await room(), 'rooms_max');
    expectTooMany(await door(), 'cameras_max');
    await venueOf(admin);
  });

  it('of collections are bounded, and those that there are take faces', async () => {
    const columns = { id: numbered(), tenant: `'${owner}'`, name: "'c' || value", created_at: '0' };
    await rows(EVENT_BOUNDS.collections_max - 1, 'collections', columns);
    const upload = (collection: string) =>
      admin.send('POST /v1/faces', { image: imageOf({ faces: [faceOf('ana')] }), collection });
    expect((await upload('last')).status).toBe(200);
    expectTooMany(await upload('more'), 'collections_max');
    expect((await upload('last')).status).toBe(200);
    expect((await upload(venue.eventId)).status).toBe(200);
  });

  it('of attendees are bounded for an event, before a photo is looked at', async () => {
    const named = {
      sealed_profile: "x'00'",
      email_tag: 'value',
      consent_at: '0',
      consent_by: "'x'",
      consent_text: "''",
    };
    const columns = { id: numbered(), tenant: `'${owner}'`, event_id: `'${venue.eventId}'`, created_at: '0', ...named };
    await rows(EVENT_BOUNDS.attendees_max - 1, 'attendees', columns);
    const register = (name: string, id: string = crypto.randomUUID()) =>
      admin.send(`POST /register-attendee/${venue.eventId}`, {
        name,
        email: `${name}@example.com`,
        photo: imageOf({ id, faces: [faceOf(name)] }),
        consent: 'true',
        consent_text: 'I agree.',
      });
    expect((await register('ana')).status).toBe(201);
    const id = crypto.randomUUID();
    expectTooMany(await register('bo', id), 'attendees_max');
    expect(await (await fetch(`${env.INFERENCE_URL}/requests?image=${id}`)).json()).toEqual([]);
  });
});

it('I-07: a sweep shreds all events that are due, however many one tenant has deleted', async () => {
  const columns = { name: "'Fair'", description: "''", date: '0', end_date: '0', created_by: "'x'", created_at: '0' };
  const due = { deleted_at: '1', shred_at: '1' };
  await rows(120, 'events', { id: numbered(), tenant: `'${owner}'`, ...columns, ...due });
  await shredExpired(env);
  const left = await env.EVENTS_DB.prepare(
    'SELECT count(*) AS total FROM events WHERE shred_at = 1 AND shredded_at IS NULL',
  );
  expect(await left.first('total')).toBe(0);
});

describe('the trail of the staff', () => {
  const entriesOf = async () =>
    (await env.EVENTS_DB.prepare('SELECT * FROM staff_trail WHERE tenant = ?1').bind(owner).all()).results;

  it('has an end: the sweep deletes entries of more than three years ago, and no other', async () => {
    const old = Date.now() - TRAIL_KEPT_YEARS * 366 * DAY_MS;
    const idAt = (at: number) =>
      `printf('%s-%s-7000-8000-%012d', '${hexOf(at).slice(0, 8)}', '${hexOf(at).slice(8)}', value)`;
    const columns = { tenant: `'${owner}'`, act: "'attendee_read'", actor: "'x'", created_at: '0' };
    await rows(12_000, 'staff_trail', { id: idAt(old - DAY_MS), ...columns });
    await rows(3, 'staff_trail', { id: idAt(old + DAY_MS), ...columns });
    await sweepEvents(env);
    expect(await entriesOf()).toHaveLength(3);
  });

  it('takes so many entries of a tenant a day: beyond, nothing is shown unseen, and what was done can be taken back', async () => {
    await admin.ask(`DELETE /events/${venue.eventId}`);
    const other = await venueOf(admin);
    const max = TENANT_QUOTAS.find(({ resource }) => resource === 'trail_entries')?.amount_max;
    await env.EVENTS_DB.prepare("UPDATE tenant_usage SET amount = ?1 WHERE tenant = ?2 AND resource = 'trail_entries'")
      .bind(max, owner)
      .run();
    const before = (await entriesOf()).length;
    const answer = await admin.ask(`GET /attendees/${other.eventId}`);
    expect([answer.status, codeOf(answer)]).toEqual([429, 'RATE_LIMIT_EXCEEDED']);
    expect(await entriesOf()).toHaveLength(before);
    expect((await admin.ask(`POST /events/${venue.eventId}/restore`)).status).toBe(200);
    expect(await entriesOf()).toHaveLength(before + 1);
  });

  it('takes so many entries of one user a day, and has room left for all others', async () => {
    const rogue = await staffOf(await migrate(), owner, ['event_operator']);
    const { eventId } = await venueOf(admin);
    const read = (by: Staff) => by.ask(`GET /attendees/${eventId}`);
    expect((await read(rogue)).status).toBe(200);
    const [quota] = USER_QUOTAS;
    await env.EVENTS_DB.prepare('UPDATE tenant_usage SET amount = ?1 WHERE tenant = ?2')
      .bind(quota!.amount_max, userHolder(owner, rogue.userId))
      .run();
    const used = async () => JSON.stringify((await admin.ask('GET /tenant/usage')).body);
    const before = await used();
    const answer = await read(rogue);
    expect([answer.status, codeOf(answer)]).toEqual([429, 'RATE_LIMIT_EXCEEDED']);
    expect(answer.body).toMatchObject({
      error: { details: { reason: 'quota_of_user', resource: 'trail_entries', amount_max: quota!.amount_max } },
    });
    expect(await used()).toBe(before);
    expect((await read(admin)).status).toBe(200);
  });

  it('says who had a link to an enhanced image made, and when: one entry for each link', async () => {
    const { body } = await admin.send('POST /v1/enhance', { image: imageOf({}) });
    const { job_id: id } = body as { job_id: string };
    const links = async () => (await entriesOf()).filter(({ act }) => act === 'enhancement_link_made');
    const status = (set: string) =>
      env.EVENTS_DB.prepare(`UPDATE enhancement_jobs SET status = ?1 WHERE id = ?2`).bind(set, id).run();
    await status('failed');
    await admin.ask(`GET /v1/enhance/${id}`);
    expect(await links()).toEqual([]);
    await status('completed');
    const operator = await staffOf(await migrate(), owner, ['event_operator']);
    for (const by of [admin, operator]) {
      const { body: job } = await by.ask(`GET /v1/enhance/${id}`);
      expect((job as { result_url: string }).result_url).toContain(id);
    }
    expect(await links()).toMatchObject([
      { actor: admin.userId, object: id, status: 200 },
      { actor: operator.userId, object: id, status: 200 },
    ]);
  });
});

function hexOf(at: number): string {
  return at.toString(16).padStart(12, '0');
}
