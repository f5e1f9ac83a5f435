import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { mergeAttendee } from '../../../../data/events/attendees/attendee-merge.ts';
import { endErasureWait, requestErasure } from '../../../../data/events/attendees/erasures.ts';
import { eventsDatabase } from '../../../../data/events/database.ts';
import { endRetention } from '../../../../data/events/retention/retention.ts';
import { attendees, erasures, events } from '../../../../data/events/schema.ts';
import { call } from '../../fixtures/call.ts';
import { createTrader, type Trader } from '../../fixtures/create-trader.ts';
import { tokensOf } from '../../fixtures/exchange-client.ts';
import { migrate } from '../../fixtures/migrate.ts';
import type { SignedIn } from '../../fixtures/sign-in.ts';
import { ask, createAttendee, createVenue, startEventsService, type Venue } from '../../workers/events/fixtures.ts';

const TENANT = 'org-second-person';

let person: SignedIn;
let other: SignedIn;
let machine: SignedIn;
let anotherMachine: SignedIn;
let personId: string;
let venue: Venue;

const db = () => eventsDatabase(env.EVENTS_DB);

const signed = async (trader: Trader, claims: Record<string, string> = {}) =>
  ({ bearer: { authorization: (await tokensOf(trader, claims)).authorization } }) as SignedIn;

beforeAll(async () => {
  await startEventsService();
  const exchange = await migrate();
  const admin = (service = false) => createTrader(exchange, { owner: TENANT, roles: ['event_admin'], service });
  const [first, second, service, another] = [await admin(), await admin(), await admin(true), await admin(true)];
  personId = first.userId;
  person = await signed(first);
  other = await signed(second);
  const byClient = { gty: 'client_credentials', client_id: 'desk-bot' };
  machine = await signed(service, byClient);
  anotherMachine = await signed(another, byClient);
});

beforeEach(async () => {
  venue = await createVenue(person, TENANT);
});

const attendee = (name: string) => createAttendee(venue, TENANT, name);
const eraseBy = async (as: SignedIn, id: string) => (await ask(as, `DELETE /attendees/${venue.eventId}/${id}`)).status;
const isThere = async (id: string) => (await ask(person, `GET /attendees/${venue.eventId}/${id}`)).status === 200;

describe('the second person who ends the wait of an erasure', () => {
  it('is no machine, whoever began it', async () => {
    const ada = await attendee('Ada');
    expect(await eraseBy(person, ada)).toBe(202);
    expect([await eraseBy(machine, ada), await eraseBy(anotherMachine, ada)]).toEqual([202, 202]);
    expect(await isThere(ada)).toBe(true);
    expect(await eraseBy(other, ada)).toBe(204);
    expect(await isThere(ada)).toBe(false);
  });

  it('is a second one where a machine began it: the first takes the place of the machine, and the date stays', async () => {
    const ada = await attendee('Ada');
    expect([await eraseBy(machine, ada), await eraseBy(anotherMachine, ada)]).toEqual([202, 202]);
    const [begun] = await db().select().from(erasures).where(eq(erasures.attendeeId, ada));
    expect([await eraseBy(person, ada), await eraseBy(person, ada)]).toEqual([202, 202]);
    expect(await db().select().from(erasures).where(eq(erasures.attendeeId, ada))).toEqual([
      { ...begun, requestedBy: personId, byMachine: false },
    ]);
    expect(await isThere(ada)).toBe(true);
    expect(await eraseBy(other, ada)).toBe(204);
  });

  it('is another than whoever asked anew in between', async () => {
    const ada = await attendee('Ada');
    await eraseBy(person, ada);
    const now = Date.now();
    expect(await endErasureWait(db(), { attendeeId: ada, person: personId, now })).toBe(false);
    expect(await endErasureWait(db(), { attendeeId: ada, person: null, now })).toBe(false);
    expect(await endErasureWait(db(), { attendeeId: ada, person: 'another', now })).toBe(true);
  });
});

describe('the second person who ends the retention of an event', () => {
  const remove = async (as: SignedIn) => (await ask(as, `DELETE /events/${venue.eventId}`)).status;
  const shred = async (as: SignedIn) => (await ask(as, `POST /events/${venue.eventId}/shred`)).status;

  it('is no machine', async () => {
    expect(await remove(person)).toBe(200);
    expect([await shred(machine), await shred(person)]).toEqual([409, 409]);
    expect(await remove(machine)).toBe(404);
    expect(await shred(other)).toBe(200);
  });

  it('is a second one where a machine deleted it, and the date stays', async () => {
    expect(await remove(machine)).toBe(200);
    const [before] = await db().select().from(events).where(eq(events.id, venue.eventId));
    expect([await shred(anotherMachine), await shred(person)]).toEqual([409, 409]);
    expect([await remove(anotherMachine), await remove(person), await shred(person)]).toEqual([404, 200, 409]);
    const [after] = await db().select().from(events).where(eq(events.id, venue.eventId));
    expect(after).toEqual({ ...before, deletedBy: personId, deletedByMachine: false });
    expect(await shred(other)).toBe(200);
  });

  it('is held against whoever has deleted it when the retention ends', async () => {
    await remove(person);
    const { eventId: id } = venue;
    expect(await endRetention(db(), { id, person: personId, now: Date.now() })).toBe(false);
    expect(await endRetention(db(), { id, person: null, now: Date.now() })).toBe(false);
    await db().update(events).set({ shredAt: 1 }).where(eq(events.id, id));
    expect(await endRetention(db(), { id, person: null, now: Date.now() })).toBe(true);
  });
});

describe('an erasure that is asked for while two attendees are merged', () => {
  /** The batch of a merge, whose comparison came before the erasure was asked for. */
  const merge = (from: string, into: string) =>
    mergeAttendee(
      db(),
      venue.key,
      { from, into },
      {
        id: crypto.randomUUID(),
        tenant: TENANT,
        eventId: venue.eventId,
        kind: 'merge',
        actor: personId,
        change: { reason: 'the same' },
        now: Date.now(),
      },
    );

  it.each(['from', 'into'] as const)('keeps them two, where it is of the one %s', async (which) => {
    const two = { from: await attendee('Ada'), into: await attendee('Grace') };
    expect(await eraseBy(person, two[which])).toBe(202);
    expect(await merge(two.from, two.into)).toBe(false);
    const path = `POST /attendees/${venue.eventId}/${two.from}/merge`;
    expect((await ask(person, path, { into: two.into, reason: 'the same' })).status).toBe(409);
    expect([await isThere(two.from), await isThere(two.into)]).toEqual([true, true]);
    expect(await eraseBy(other, two[which])).toBe(204);
    const left = await db().select({ id: attendees.id }).from(attendees).where(eq(attendees.eventId, venue.eventId));
    expect(left).toEqual([{ id: which === 'from' ? two.into : two.from }]);
  });

  it('is not there once they are one', async () => {
    const [from, into] = [await attendee('Ada'), await attendee('Grace')];
    expect(await merge(from, into)).toBe(true);
    const asked = { attendeeId: from, tenant: TENANT, eventId: venue.eventId, requestedBy: personId, byMachine: false };
    expect(await requestErasure(db(), { ...asked, requestedAt: 1, eraseAt: Date.now() + 60_000 })).toBeNull();
    expect(await db().select().from(erasures).where(eq(erasures.attendeeId, from))).toEqual([]);
    expect(
      await call(`DELETE /events-service/attendees/${venue.eventId}/${from}`, { headers: person.bearer }),
    ).toMatchObject({ status: 404 });
  });
});
