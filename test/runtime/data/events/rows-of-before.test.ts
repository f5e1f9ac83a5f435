import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { beforeAll, expect, it } from 'vitest';
import { useCollection } from '../../../../application/events/collections/open-collection.ts';
import { shredExpired } from '../../../../application/events/retention/shred-expired.ts';
import { eventsDatabase } from '../../../../data/events/database.ts';
import { hasFrameImage } from '../../../../data/events/images/frames.ts';
import { collections, departures, events, framePictures } from '../../../../data/events/schema.ts';
import { ask, createVenue, signedIn, startEventsService } from '../../workers/events/fixtures.ts';

const TENANT = 'org-of-before';
const MADE = Date.parse('2026-01-01T10:00:00Z');

const db = () => eventsDatabase(env.EVENTS_DB);

beforeAll(startEventsService);

/** The migration that mends what versions wrote that knew less; run once more, as it is written. */
async function mend(): Promise<void> {
  const migration = env.TEST_EVENT_MIGRATIONS.find(({ name }) => name.includes('rows_of_before'));
  if (migration === undefined) throw new Error('no such migration');
  for (const query of migration.queries) await env.EVENTS_DB.prepare(query).run();
}

/** A tenant whose key was destroyed by a version that wrote no beginning of a departure. */
async function departureOfBefore(tenant: string): Promise<void> {
  await useCollection(env, tenant, 'staff');
  await db()
    .update(collections)
    .set({ createdAt: MADE - 1 })
    .where(eq(collections.tenant, tenant));
  await db()
    .insert(departures)
    .values({ tenant, requestedBy: 'somebody', requestedAt: MADE, keyDestroyedAt: MADE + 1 });
}

const left = (tenant: string) => db().$count(collections, eq(collections.tenant, tenant));
const departureOf = async (tenant: string) =>
  (await db().select().from(departures).where(eq(departures.tenant, tenant)))[0];

it('lets a departure that was under way go on to its end, with all that is left', async () => {
  await departureOfBefore(`${TENANT}-leaves`);
  await mend();
  expect((await departureOf(`${TENANT}-leaves`))?.leavingAt).toBe(MADE);
  await shredExpired(env);
  expect(await left(`${TENANT}-leaves`)).toBe(0);
  expect((await departureOf(`${TENANT}-leaves`))?.finishedAt).not.toBeNull();
});

it('takes a departure that the version before wrote after the migration to its end, too', async () => {
  await departureOfBefore(`${TENANT}-late`);
  await shredExpired(env);
  expect(await left(`${TENANT}-late`)).toBe(0);
  expect((await departureOf(`${TENANT}-late`))?.finishedAt).not.toBeNull();
});

it('knows the pictures of frames that were taken before pictures were written down, once each', async () => {
  const admin = await signedIn(TENANT, 'event_admin');
  const { eventId, roomId, cameras } = await createVenue(admin, TENANT);
  const insert = env.EVENTS_DB.prepare(
    `INSERT INTO frames (id, tenant, event_id, room_id, camera_id, captured_at, image_tag, object_key, faces_detected, matched,
       "unknown", sealed_result, received_at) VALUES (?, ?, ?, ?, ?, ?, 'picture', 'key', 0, 0, 0, x'', 0)`,
  );
  for (const [at, camera] of [cameras.entry, cameras.exit].entries())
    await insert.bind(`frame-${at}`, TENANT, eventId, roomId, camera.id, at).run();
  await mend();
  await mend();
  expect(await hasFrameImage(db(), { eventId, imageTag: 'picture' })).toBe(true);
  expect(await db().$count(framePictures, eq(framePictures.eventId, eventId))).toBe(1);
});

it('lets two people end the retention of an event of which nobody knows who deleted it', async () => {
  const [one, other] = [await signedIn(TENANT, 'event_admin'), await signedIn(TENANT, 'event_admin')];
  const { eventId } = await createVenue(one, TENANT);
  const shredAt = Date.now() + 60_000;
  await db().update(events).set({ deletedAt: MADE, shredAt }).where(eq(events.id, eventId));
  const shred = async (as: typeof one) => (await ask(as, `POST /events/${eventId}/shred`)).status;
  await mend();
  expect([await shred(one), await shred(other)]).toEqual([409, 409]);
  expect((await ask(one, `DELETE /events/${eventId}`)).status).toBe(200);
  expect([await shred(one), await shred(other)]).toEqual([409, 200]);
});
