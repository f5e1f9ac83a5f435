import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { sweepEvents } from '../../../../application/events/sweep-events.ts';
import { eventScope } from '../../../../data/events/sites/events.ts';
import { codeOf } from '../../fixtures/call.ts';
import type { SignedIn } from '../../fixtures/sign-in.ts';
import { ask, bodyOf, createVenue, keys, signedIn, startEventsService, type Venue } from './fixtures.ts';

const TENANT = 'org-rooms';

/** Written out, so that a wrong table in the code is noticed. */
const GRANTED_BY_ROLE = {
  event_operator: [
    'events:read',
    'attendees:read',
    'attendees:write',
    'frames:write',
    'timeline:read',
    'timeline:correct',
    'faces:write',
    'faces:search',
    'weapons:detect',
    'images:enhance',
    'roles:read',
  ],
  event_viewer: ['events:read', 'timeline:read', 'roles:read'],
  event_camera: ['frames:write'],
};
const ADMIN_ALONE = [
  'events:write',
  'events:delete',
  'events:shred',
  'collections:delete',
  'tenant:leave',
  'cameras:write',
  'attendees:erase',
  'trail:read',
  'webhooks:write',
];

let admin: SignedIn;
let viewer: SignedIn;
let venue: Venue;

beforeAll(async () => {
  await startEventsService();
  admin = await signedIn(TENANT, 'event_admin');
  viewer = await signedIn(TENANT, 'event_viewer');
  venue = await createVenue(admin, TENANT);
});

describe('rooms', () => {
  it('are created in an event with an optional capacity, listed and read', async () => {
    const { eventId } = venue;
    const room = await bodyOf<{ id: string }>(
      ask(admin, 'POST /rooms', { event_id: eventId, name: 'Stage', capacity: 80 }),
      201,
    );
    expect(room).toMatchObject({ event_id: eventId, name: 'Stage', capacity: 80 });
    expect(await bodyOf(ask(viewer, `GET /rooms/${room.id}`))).toEqual(room);
    const { rooms } = await bodyOf<{ rooms: object[] }>(ask(viewer, `GET /rooms?event_id=${eventId}`));
    expect(rooms).toMatchObject([{ name: 'Hall', capacity: null }, room]);
  });

  it('have a whole capacity of nothing or more', async () => {
    for (const capacity of [-1, 1.5, '80']) {
      const answer = await ask(admin, 'POST /rooms', { event_id: venue.eventId, name: 'Stage', capacity });
      expect(codeOf(answer)).toBe('VALIDATION_ERROR');
    }
  });

  it('page by limit and cursor', async () => {
    const { eventId } = await createVenue(admin, TENANT);
    await ask(admin, 'POST /rooms', { event_id: eventId, name: 'Stage' });
    const first = await ask(admin, `GET /rooms?event_id=${eventId}&limit=1`);
    expect(first.body).toMatchObject({ rooms: [{ name: 'Hall' }] });
    const next = new URL(/<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? '').search;
    const second = await ask(admin, `GET /rooms${next}`);
    expect(second.body).toMatchObject({ rooms: [{ name: 'Stage' }] });
    expect(second.headers.get('link')).toBeNull();
  });
});

describe('cameras', () => {
  it.each(['entry', 'exit', 'in-event'])('of type %s are created in a room, listed and read', async (type) => {
    const body = { room_id: venue.roomId, name: 'Door', type, source: 'rtsp://10.0.0.7/door' };
    const camera = await bodyOf<{ id: string }>(ask(admin, 'POST /cameras', body), 201);
    expect(camera).toMatchObject({ ...body, event_id: venue.eventId });
    expect(await bodyOf(ask(admin, `GET /cameras/${camera.id}`))).toEqual(camera);
    expect(await bodyOf(ask(viewer, `GET /cameras/${camera.id}`))).toEqual({
      ...camera,
      source: 'rtsp://10.0.0.7/***',
    });
    const { cameras } = await bodyOf<{ cameras: object[] }>(ask(admin, `GET /cameras?room_id=${venue.roomId}`));
    expect(cameras).toContainEqual(camera);
  });

  it('of another type are refused', async () => {
    const body = { room_id: venue.roomId, name: 'Door', type: 'drone', source: 'rtsp://x' };
    expect(codeOf(await ask(admin, 'POST /cameras', body))).toBe('VALIDATION_ERROR');
  });

  it('show the password of their source only to those who may create cameras', async () => {
    const source = 'rtsp://guard:s3cret@10.0.0.7/door?token=opensesame';
    const body = { room_id: venue.roomId, name: 'Door', type: 'entry', source };
    const { id } = await bodyOf<{ id: string }>(ask(admin, 'POST /cameras', body), 201);
    expect(await bodyOf(ask(admin, `GET /cameras/${id}`))).toMatchObject({ source });
    for (const target of [`GET /cameras/${id}`, `GET /cameras?room_id=${venue.roomId}`]) {
      const shown = JSON.stringify(await bodyOf(ask(viewer, target)));
      expect(shown).toContain('rtsp://10.0.0.7/***');
      expect(shown).not.toMatch(/s3cret|guard|opensesame/);
    }
  });
});

describe('E-02: the address of a camera', () => {
  it.each([
    ['rtsp://admin:p/ssw0rd@10.0.0.7/x', 'rtsp://***'],
    ['rtsp://10.0.0.7:554/user=admin_password=Xy12Secret_channel=1_stream=0.sdp', 'rtsp://10.0.0.7:554/***'],
    ['admin:hunter2@10.0.0.7:554/stream', '***'],
  ])('%s is shown whole to those alone who may create cameras, and lies sealed', async (source, shown) => {
    const camera = { room_id: venue.roomId, name: 'Door', type: 'entry', source };
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const made = await bodyOf<{ id: string; source: string }>(ask(admin, 'POST /cameras', camera, headers), 201);
    expect(made.source).toBe(source);
    expect(await bodyOf(ask(admin, 'POST /cameras', camera, headers), 201)).toEqual(made);
    expect(await bodyOf(ask(admin, `GET /cameras/${made.id}`))).toMatchObject({ source });
    expect(await bodyOf(ask(viewer, `GET /cameras/${made.id}`))).toMatchObject({ source: shown });
    const { cameras } = await bodyOf<{ cameras: { id: string; source: string }[] }>(
      ask(viewer, `GET /cameras?room_id=${venue.roomId}&limit=100`),
    );
    expect(cameras.find(({ id }) => id === made.id)?.source).toBe(shown);
    const row = await env.EVENTS_DB.prepare('SELECT * FROM cameras WHERE id = ?').bind(made.id).first();
    expect(Buffer.from(JSON.stringify(row)).toString()).not.toContain(source);
    const sealed = row?.sealed_source as number[];
    expect(Buffer.from(sealed).toString('latin1')).not.toContain(source);
  });
});

describe('E-02: an address of before', () => {
  it('is sealed by the hourly job, and answered as before', async () => {
    const source = 'rtsp://guard:s3cret@10.0.0.7/door';
    const body = { room_id: venue.roomId, name: 'Old', type: 'entry', source: 'rtsp://10.0.0.8/x' };
    const { id } = await bodyOf<{ id: string }>(ask(admin, 'POST /cameras', body), 201);
    const db = env.EVENTS_DB;
    await db.prepare('UPDATE cameras SET source = ?, sealed_source = NULL WHERE id = ?').bind(source, id).run();
    for (const run of [1, 2]) {
      await sweepEvents(env);
      const row = await db.prepare('SELECT source, sealed_source FROM cameras WHERE id = ?').bind(id).first();
      expect(row?.source, `after run ${run}`).toBe('');
      expect(row?.sealed_source).not.toBeNull();
      expect(await bodyOf(ask(admin, `GET /cameras/${id}`))).toMatchObject({ source });
    }
  });

  it('is sealed though a hundred others before it never will be, since their key is gone', async () => {
    const gone = await createVenue(admin, TENANT);
    await keys().destroy(eventScope({ tenant: TENANT, id: gone.eventId }));
    const db = env.EVENTS_DB;
    await db
      .prepare(
        `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)
         INSERT INTO cameras (id, tenant, event_id, room_id, name, type, source, created_at)
         SELECT '0000-' || i, ?, ?, ?, 'Old', 'entry', 'rtsp://10.0.0.8/x', 0 FROM n`,
      )
      .bind(TENANT, gone.eventId, gone.roomId)
      .run();
    const body = { room_id: venue.roomId, name: 'Old', type: 'entry', source: 'rtsp://10.0.0.8/x' };
    const { id } = await bodyOf<{ id: string }>(ask(admin, 'POST /cameras', body), 201);
    await db.prepare(`UPDATE cameras SET source = 'rtsp://x', sealed_source = NULL WHERE id = ?`).bind(id).run();
    await sweepEvents(env);
    const row = await db.prepare('SELECT source FROM cameras WHERE id = ?').bind(id).first();
    expect(row?.source).toBe('');
  });
});

describe('permissions and roles', () => {
  it('are listed as the documents have them, each role with the permissions that it grants', async () => {
    const { permissions } = await bodyOf<{ permissions: { name: string; description: string }[] }>(
      ask(viewer, 'GET /permissions'),
    );
    const every = Object.values(GRANTED_BY_ROLE).flat().concat(ADMIN_ALONE);
    expect(permissions.map(({ name }) => name).sort()).toEqual([...new Set(every)].sort());
    for (const { description } of permissions) expect(description).not.toBe('');
    const { roles } = await bodyOf<{ roles: { name: string; description: string; permissions: string[] }[] }>(
      ask(viewer, 'GET /roles'),
    );
    expect(Object.fromEntries(roles.map(({ name, permissions: granted }) => [name, [...granted].sort()]))).toEqual({
      event_admin: [...new Set(every)].sort(),
      event_operator: [...GRANTED_BY_ROLE.event_operator].sort(),
      event_viewer: [...GRANTED_BY_ROLE.event_viewer].sort(),
      event_camera: [...GRANTED_BY_ROLE.event_camera].sort(),
    });
    for (const { description } of roles) expect(description).not.toBe('');
  });
});
