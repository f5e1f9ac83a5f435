import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { useCollection } from '../../../../application/events/collections/open-collection.ts';
import { shredExpired } from '../../../../application/events/retention/shred-expired.ts';
import { sweepEvents } from '../../../../application/events/sweep-events.ts';
import { eventsDatabase } from '../../../../data/events/database.ts';
import { departures, erasures, events } from '../../../../data/events/schema.ts';
import { eventScope, findEventOrDeleted } from '../../../../data/events/sites/events.ts';
import { setRolePermissions } from '../../../../data/events/sites/role-permissions.ts';
import { DAY_MS } from '../../../../domain/calendar/durations.ts';
import { ROLES } from '../../../../domain/events/permissions.ts';
import { call, codeOf } from '../../fixtures/call.ts';
import { createTrader } from '../../fixtures/create-trader.ts';
import { migrate } from '../../fixtures/migrate.ts';
import type { SignedIn } from '../../fixtures/sign-in.ts';
import { signIn } from '../../fixtures/sign-in.ts';
import {
  ask,
  bodyOf,
  createAttendee,
  createVenue,
  keys,
  signedIn,
  startEventsService,
} from '../../workers/events/fixtures.ts';
import { interruptedAfter } from '../../workers/events/interrupted-after.ts';

interface Departure {
  readonly requested_by: string;
  readonly requested_at: string;
  readonly leave_at: string;
}

let tenants = 0;
let tenant: string;
let thief: SignedIn;
let other: SignedIn;

beforeAll(startEventsService);

/** A tenant of two admins, one of whose tokens is stolen. */
async function aTenant(): Promise<void> {
  tenant = `org-robbed-${tenants++}`;
  thief = await signedIn(tenant, 'event_admin');
  other = await signedIn(tenant, 'event_admin');
}

const db = () => eventsDatabase(env.EVENTS_DB);
const leave = (as = thief) => ask(as, 'DELETE /tenant', { confirm: tenant });
const keyOf = (id: string) => keys().open(eventScope({ tenant, id }));
const endWait = () => db().update(departures).set({ leaveAt: Date.now() }).where(eq(departures.tenant, tenant));

describe('I-02: a tenant that one token asks to end', () => {
  beforeAll(aTenant);

  it('reads and writes as before, is seen to leave by all, and stays once another admin says so', async () => {
    const venue = await createVenue(thief, tenant);
    await createAttendee(venue, tenant, 'Ada');
    const deleted = await createVenue(thief, tenant);
    await ask(other, `DELETE /events/${deleted.eventId}`);
    const dates = await findEventOrDeleted(db(), tenant, deleted.eventId);
    const asked = await bodyOf<Departure>(leave(), 202);
    expect(Date.parse(asked.leave_at) - Date.parse(asked.requested_at)).toBe(30 * DAY_MS);
    const viewer = await signedIn(tenant, 'event_viewer');
    for (const as of [other, viewer]) expect(await bodyOf(ask(as, 'GET /tenant/departure'))).toEqual(asked);
    await shredExpired(env);
    expect(await bodyOf(ask(other, `GET /attendees/${venue.eventId}`))).toMatchObject({ attendees: [{ name: 'Ada' }] });
    await createVenue(thief, tenant);
    expect((await ask(viewer, 'POST /tenant/departure/stop')).status).toBe(403);
    expect((await ask(other, 'POST /tenant/departure/stop')).status).toBe(204);
    await endWait();
    await shredExpired(env);
    expect(await bodyOf(ask(other, `GET /attendees/${venue.eventId}`))).toMatchObject({ attendees: [{ name: 'Ada' }] });
    expect(await findEventOrDeleted(db(), tenant, deleted.eventId)).toEqual(dates);
    expect(await keyOf(deleted.eventId)).not.toBeNull();
    expect((await ask(other, 'GET /tenant/departure')).status).toBe(404);
    // Who stopped it may ask again, after an answer that was lost; anybody else finds none.
    expect((await ask(other, 'POST /tenant/departure/stop')).status).toBe(204);
    expect((await ask(thief, 'POST /tenant/departure/stop')).status).toBe(404);
  });

  it('keeps its date however often it is asked for, and waits anew after it was stopped', async () => {
    const asked = await bodyOf<Departure>(leave(), 202);
    expect(await bodyOf<Departure>(leave(), 202)).toEqual(asked);
    await ask(other, 'POST /tenant/departure/stop');
    const again = await bodyOf<Departure>(leave(), 202);
    expect(Date.parse(again.leave_at) - Date.parse(again.requested_at)).toBe(30 * DAY_MS);
    expect(Date.parse(again.requested_at)).toBeGreaterThan(Date.parse(asked.requested_at) - 1);
    await ask(other, 'POST /tenant/departure/stop');
  });

  it('waits a week at least, where events are retained for less', async () => {
    const { requestLeave } = await import('../../../../application/events/retention/leave-service.ts');
    const asked = await requestLeave({ ...env, EVENT_RETENTION_DAYS: '0' } as unknown as Env, 'org-brief', 'someone');
    const { departure } = (asked as { value: { departure: { leaveAt: number; requestedAt: number } } }).value;
    expect(departure.leaveAt - departure.requestedAt).toBe(7 * DAY_MS);
  });

  it('of an event can be taken back for a day at least, where events are retained for less', async () => {
    const { retentionMsOf } = await import('../../../../application/events/retention/retention.ts');
    for (const days of ['0', '0.5', '1']) expect(retentionMsOf({ EVENT_RETENTION_DAYS: days } as never)).toBe(DAY_MS);
    expect(retentionMsOf({ EVENT_RETENTION_DAYS: '2' } as never)).toBe(2 * DAY_MS);
  });

  it('is seen and stopped by an operator of the venue, with an entry in the trail', async () => {
    await bodyOf(leave(), 202);
    const operator = await signIn((await createTrader(await migrate(), { owner: 'venue', roles: ['operator'] })).phone);
    const ofVenue = (target: string, json?: object) =>
      call(target.replace(' ', ' /exchange/v1/operator/event-departures'), {
        headers: operator.tenant,
        ...(json && { json }),
      });
    expect((await ofVenue('GET ')).body).toMatchObject({
      data: expect.arrayContaining([expect.objectContaining({ tenant })]),
    });
    expect((await ofVenue('POST /stop', { tenant, reason: 'they called' })).status).toBe(200);
    expect((await ask(other, 'GET /tenant/departure')).status).toBe(404);
    expect((await ofVenue('POST /stop', { tenant, reason: 'no answer came' })).status).toBe(200);
    const written = await env.DB.prepare(
      `SELECT count(*) AS total FROM domain_events WHERE type = 'operator.event_departure_stopped' AND subject = ?1`,
    )
      .bind(tenant)
      .first('total');
    expect(written).toBe(1);
    const second = await signIn((await createTrader(await migrate(), { owner: 'venue', roles: ['operator'] })).phone);
    const json = { tenant, reason: 'again' };
    const late = await call('POST /exchange/v1/operator/event-departures/stop', { headers: second.tenant, json });
    expect(late.status).toBe(404);
  });
});

describe('I-02: a departure that nobody stops', () => {
  beforeAll(aTenant);

  it('destroys the key once its time has come, wherever the sweep was cut off, with what was made while it waited', async () => {
    const before = await createVenue(thief, tenant);
    await bodyOf(leave(), 202);
    const during = await createVenue(thief, tenant);
    const own = (await useCollection(env, tenant, 'staff'))!;
    await endWait();
    const done = () => findEventOrDeleted(db(), tenant, during.eventId).then((event) => event?.shreddedAt ?? null);
    let calls = 0;
    for (; (await done()) === null && calls < 200; calls++)
      await shredExpired(interruptedAfter(calls)).catch(() => null);
    expect(calls).toBeGreaterThan(10);
    await shredExpired(env);
    for (const { eventId } of [before, during]) {
      expect(await keyOf(eventId)).toBeNull();
      expect((await ask(other, `GET /events/${eventId}`)).status).toBe(404);
    }
    expect(await keys().open(own.scope)).toBeNull();
    const [departure] = await db().select().from(departures).where(eq(departures.tenant, tenant));
    expect(departure?.finishedAt).not.toBeNull();
  });

  it('cannot be stopped once the destruction has begun', async () => {
    const venue = await createVenue(thief, tenant);
    await bodyOf(leave(), 202);
    await db().update(departures).set({ leavingAt: Date.now() }).where(eq(departures.tenant, tenant));
    expect(codeOf(await ask(other, 'POST /tenant/departure/stop'))).toBe('CONFLICT');
    expect(codeOf(await leave())).toBe('CONFLICT');
    expect(await keyOf(venue.eventId)).not.toBeNull();
  });
});

describe('I-02: whoever may delete events alone', () => {
  it('ends no tenant, shreds no event and deletes no collection', async () => {
    await aTenant();
    await setRolePermissions(db(), 'event_operator', [...ROLES.event_operator.permissions, 'events:delete']);
    const deleter = await signedIn(tenant, 'event_operator');
    const { eventId } = await createVenue(other, tenant);
    await useCollection(env, tenant, 'staff');
    await ask(other, `DELETE /events/${eventId}`);
    for (const [target, json] of [
      ['DELETE /tenant', { confirm: tenant }],
      [`POST /events/${eventId}/shred`],
      ['DELETE /v1/collections/staff'],
    ] as [string, object?][])
      expect(codeOf(await ask(deleter, target, json)), target).toBe('FORBIDDEN');
    expect(await keyOf(eventId)).not.toBeNull();
    await setRolePermissions(db(), 'event_operator', ROLES.event_operator.permissions);
  });
});

describe('I-02: what one token deletes', () => {
  beforeAll(aTenant);

  it('of events comes back whole within the retention, and cannot be shredded by the same person', async () => {
    const venue = await createVenue(thief, tenant);
    const ada = await createAttendee(venue, tenant, 'Ada');
    const path = `/events/${venue.eventId}`;
    await bodyOf(ask(thief, `DELETE ${path}`));
    expect(codeOf(await ask(thief, `POST ${path}/shred`))).toBe('CONFLICT');
    const { events: listed } = await bodyOf<{ events: { id: string; deleted_by: string }[] }>(
      ask(other, 'GET /events/deleted'),
    );
    expect(listed).toMatchObject([{ id: venue.eventId, deleted_by: expect.any(String) }]);
    expect(await bodyOf(ask(other, `POST ${path}/restore`))).toMatchObject({ deleted_at: null, shred_at: null });
    expect((await ask(other, `GET /attendees/${venue.eventId}/${ada}`)).status).toBe(200);
    expect((await ask(other, `POST ${path}/restore`)).status).toBe(404);
  });

  it('of events stays deleted once the retention is over', async () => {
    const { eventId } = await createVenue(thief, tenant);
    await ask(thief, `DELETE /events/${eventId}`);
    await db().update(events).set({ shredAt: Date.now() }).where(eq(events.id, eventId));
    expect((await ask(other, `POST /events/${eventId}/restore`)).status).toBe(404);
  });

  it('of collections comes back with its faces within the retention, unless another has its name', async () => {
    const made = (await useCollection(env, tenant, 'staff'))!;
    expect((await ask(thief, 'DELETE /v1/collections/staff')).status).toBe(204);
    await sweepEvents(env);
    const { id } = made.collection;
    expect(await bodyOf(ask(other, 'GET /v1/deleted-collections'))).toMatchObject({
      collections: [{ id, name: 'staff' }],
    });
    const newer = (await useCollection(env, tenant, 'staff'))!;
    expect(newer.collection.id).not.toBe(id);
    const restore = () => ask(other, `POST /v1/deleted-collections/${id}/restore`);
    expect(codeOf(await restore())).toBe('CONFLICT');
    await ask(other, 'DELETE /v1/collections/staff');
    const stranger = await signedIn('org-strange', 'event_admin');
    expect((await ask(stranger, `POST /v1/deleted-collections/${id}/restore`)).status).toBe(404);
    expect((await restore()).status).toBe(204);
    expect((await useCollection(env, tenant, 'staff'))!.collection.id).toBe(id);
    expect(await keys().open(made.scope)).not.toBeNull();
  });

  it('of attendees waits for a second person or three days, can be taken back, and is done after a crash', async () => {
    const venue = await createVenue(thief, tenant);
    const ada = await createAttendee(venue, tenant, 'Ada');
    const path = `/attendees/${venue.eventId}/${ada}`;
    const asked = await bodyOf<{ requested_at: string; erase_at: string }>(ask(thief, `DELETE ${path}`), 202);
    expect(Date.parse(asked.erase_at) - Date.parse(asked.requested_at)).toBe(3 * DAY_MS);
    expect(await bodyOf(ask(thief, `DELETE ${path}`), 202)).toEqual(asked);
    await shredExpired(env);
    const listed = await bodyOf(ask(other, `GET /events/${venue.eventId}/erasures`));
    expect(listed).toEqual({ erasures: [asked] });
    const bo = await createAttendee(venue, tenant, 'Bo');
    expect(codeOf(await ask(thief, `POST ${path}/merge`, { into: bo, reason: 'same' }))).toBe('CONFLICT');
    expect((await ask(other, `POST ${path}/keep`)).status).toBe(204);
    expect((await ask(other, `POST ${path}/keep`)).status).toBe(404);
    expect((await ask(other, `GET ${path}`)).status).toBe(200);

    await bodyOf(ask(thief, `DELETE ${path}`), 202);
    await db().update(erasures).set({ eraseAt: Date.now() }).where(eq(erasures.attendeeId, ada));
    expect(codeOf(await ask(other, `POST ${path}/keep`))).toBe('CONFLICT');
    const left = () => db().$count(erasures, eq(erasures.attendeeId, ada));
    let calls = 0;
    for (; (await left()) > 0 && calls < 200; calls++) await shredExpired(interruptedAfter(calls)).catch(() => null);
    expect(calls).toBeGreaterThan(5);
    expect((await ask(other, `GET ${path}`)).status).toBe(404);
    expect((await ask(other, `DELETE ${path}`)).status).toBe(404);
  });
});
