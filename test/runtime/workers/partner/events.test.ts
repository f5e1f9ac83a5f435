import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { eq, sql } from 'drizzle-orm';
import { uuidv7 } from 'uuidv7';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Database } from '../../../../data/database.ts';
import { users } from '../../../../data/schema/accounts.ts';
import { partnerOrganizations } from '../../../../data/schema/partner.ts';
import { sqlBatch } from '../../../../data/sql-batch.ts';
import { partnerEvent } from '../../../../data/webhooks/partner-event.ts';
import { DAY_MS } from '../../../../domain/calendar/durations.ts';
import { partnerEventsOf, WAIT_MS_MAX } from '../../../../durable-objects/partner-events/api.ts';
import { wakeDispatch } from '../../../../durable-objects/webhook-dispatch/api.ts';
import { type BuyerAndSeller, createBuyerAndSeller } from '../../fixtures/buyer-and-seller.ts';
import { dispatchFaults } from '../../fixtures/faulty-dispatch.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { createPartner, createSecurity, type Partner } from '../../fixtures/partner-client.ts';
import { eventually } from '../../fixtures/patience.ts';
import { settle } from '../../fixtures/settle.ts';
import { createTestEndpoint, outsideReceiver } from '../../fixtures/webhook-receiver.ts';

interface Body {
  readonly webhook_event: { readonly event_id: string; readonly event_type: string; readonly endpoint: string };
  readonly [field: string]: unknown;
}

interface List {
  readonly events: readonly Body[];
  readonly next_after: string | null;
  readonly has_more?: true;
}

const ADDRESS = 'http://localhost/partner/v1/events';

let db: Database;
let traders: BuyerAndSeller;
let lister: Partner;
let agent: Partner;

beforeAll(async () => {
  db = await migrate();
  traders = await createBuyerAndSeller(db, 'EV');
});

/** Partners of their own for each test, and a security of theirs that trades. */
async function list(): Promise<{ readonly security: string; readonly market: string }> {
  lister = await createPartner(db, 'cross_lister');
  agent = await createPartner(db, 'transfer_agent');
  const terms = { state: 'listed', transferAgent: agent.organization, agentState: 'accepted' } as const;
  const security = await createSecurity(db, lister, terms);
  return { security, market: await traders.freshPair({ asset: { id: security } }) };
}

/** Whoever waits does so until something is told, however busy the machine is: their twenty seconds are never over. */
beforeEach(() => {
  const setTimer = globalThis.setTimeout.bind(globalThis);
  const patient = (ring: () => void, ms = 0) => setTimer(ring, ms > WAIT_MS_MAX / 2 && ms <= WAIT_MS_MAX ? DAY_MS : ms);
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(patient as typeof setTimeout);
});

afterEach(() => {
  dispatchFaults.kills = [];
  vi.useRealTimers();
  vi.restoreAllMocks();
});

async function trade({ market }: { readonly market: string }): Promise<void> {
  const order = (side: string) => ({ symbol: market, side, type: 'limit', size: 10, price: 25.5 });
  expect((await traders.seller.client.post('/v1/orders', order('sell'))).status).toBeLessThan(300);
  expect((await traders.buyer.client.post('/v1/orders', order('buy'))).status).toBeLessThan(300);
  await settle(market);
}

/** Tells that so many trades have settled. @returns ids of the events */
async function tellSettled(securityId: string, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => uuidv7());
  const facts = () => ({ trade_id: uuidv7(), status: 'SETTLED', tx_hash: null }) as const;
  const type = 'settlement.finalized';
  const rows = ids.map((id) =>
    partnerEvent({ id, type, securityId, facts: facts(), createdAt: Date.now(), when: sql`true` }),
  );
  await sqlBatch(db, rows);
  await wakeDispatch(env);
  return ids;
}

const read = async (partner: Partner, query = '') => (await partner.client.get<List>(`/v1/events${query}`)).body;
const idsOf = ({ events }: List) => events.map(({ webhook_event: { event_id } }) => event_id);

/** The object is asked: polling over HTTP would use up the limit of the caller. */
async function untilListed(partner: Partner, count: number): Promise<void> {
  const types = ['trade.executed', 'settlement.finalized', 'settlement.recorded', 'transfer.initiated'] as const;
  const query = { after: null, types, limit: 100, waitMs: 0 };
  const isThere = async () =>
    ((await partnerEventsOf(env, partner.organization).read(query))?.events.length ?? 0) >= count || null;
  await eventually(isThere, () => `no ${count} events are listed`);
}

describe('GET /v1/events', () => {
  test('lists what a webhook is sent, with the same ids and bodies, also of what nobody has subscribed to', async () => {
    const listed = await list();
    const receiver = outsideReceiver();
    await createTestEndpoint(receiver.url, { organization: lister.organization, events: ['trade.executed'] });
    await trade(listed);
    const [webhook] = await receiver.receives(1);
    const sent = JSON.parse(webhook?.body ?? '') as Body;
    await untilListed(lister, 1);
    const [first] = (await read(lister, '?types=trade.executed')).events;
    expect(first).toEqual({ ...sent, webhook_event: { ...sent.webhook_event, endpoint: ADDRESS } });
    expect(Object.keys(first?.webhook_event ?? {})).toEqual(Object.keys(sent.webhook_event));
    expect(first?.webhook_event.event_id).toBe(webhook?.headers['webhook-id']);
    // The agent has no webhook at all, and is told nothing of trades.
    await tellSettled(listed.security, 1);
    await untilListed(agent, 1);
    expect((await read(agent)).events.every(({ webhook_event: head }) => head.event_type !== 'trade.executed')).toBe(
      true,
    );
  });

  test('goes on behind an event, page by page, and says where', async () => {
    const { security } = await list();
    const ids = await tellSettled(security, 5);
    await untilListed(lister, 5);
    const page = await lister.client.get<List>('/v1/events?limit=2');
    expect([idsOf(page.body), page.body.next_after, page.body.has_more]).toEqual([ids.slice(0, 2), ids[1], true]);
    expect(page.headers.get('link')).toBe(`<${ADDRESS}?limit=2&after=${ids[1]}>; rel="next"`);
    const last = await read(lister, `?limit=3&after=${ids[1]}`);
    expect([idsOf(last), last.next_after, last.has_more]).toEqual([ids.slice(2), ids[4], undefined]);
    expect(await read(lister, `?after=${ids[4]}`)).toEqual({ events: [], next_after: ids[4] });
    // It goes on behind what is of other types, which is forgotten before what comes.
    expect(await read(lister, `?types=trade.executed&after=${ids[0]}`)).toEqual({ events: [], next_after: ids[4] });
  });

  test('has several types in the order in which they were told', async () => {
    const listed = await list();
    const [before = ''] = await tellSettled(listed.security, 1);
    await untilListed(lister, 1);
    await trade(listed);
    await untilListed(lister, 2);
    await tellSettled(listed.security, 1);
    await eventually(
      async () => (idsOf(await read(lister)).length > 2 ? true : null),
      () => 'the last is not listed',
    );
    const both = await read(lister, `?types=settlement.finalized,trade.executed&after=${before}`);
    const types = both.events.map(({ webhook_event: { event_type } }) => event_type);
    expect(types[0]).toBe('trade.executed');
    expect(types.slice(1)).toContain('settlement.finalized');
  });

  test('waits for the next event, and answers once it is told', async () => {
    const { security } = await list();
    const waiting = lister.client.get<List>('/v1/events?wait=20');
    await untilWaiting(lister.organization, 1);
    const [id] = await tellSettled(security, 1);
    expect(idsOf((await waiting).body)).toEqual([id]);
  });

  test('answers with none where the time is over', async () => {
    const { security } = await list();
    const [id] = await tellSettled(security, 1);
    await untilListed(lister, 1);
    vi.restoreAllMocks();
    expect(await read(lister, `?after=${id}&wait=1`)).toEqual({ events: [], next_after: id });
  });

  test('tells a partner nothing that is suspended while it waits, and has it once it is reinstated', async () => {
    const { security } = await list();
    const state = (to: 'active' | 'suspended') =>
      db
        .update(partnerOrganizations)
        .set({ state: to })
        .where(eq(partnerOrganizations.organization, lister.organization));
    const waiting = lister.client.get<List>('/v1/events?wait=20');
    await untilWaiting(lister.organization, 1);
    await state('suspended');
    const [id] = await tellSettled(security, 1);
    expect((await waiting).body).toEqual({ events: [], next_after: null });
    await state('active');
    expect(idsOf(await read(lister))).toEqual([id]);
  });

  test('tells nothing to whose token ends while they wait', async () => {
    const { security } = await list();
    const waiting = lister.client.get<List>('/v1/events?wait=20');
    await untilWaiting(lister.organization, 1);
    await db
      .update(users)
      .set({ tokensValidAfter: Date.now() + DAY_MS })
      .where(eq(users.id, lister.userId));
    await tellSettled(security, 1);
    expect((await waiting).body).toEqual({ events: [], next_after: null });
  });

  test('has nothing that was told while its partner was refused', async () => {
    const { security } = await list();
    const state = (to: 'active' | 'refused') =>
      db
        .update(partnerOrganizations)
        .set({ state: to })
        .where(eq(partnerOrganizations.organization, agent.organization));
    await state('refused');
    await tellSettled(security, 1);
    await untilListed(lister, 1);
    await state('active');
    expect(await read(agent)).toEqual({ events: [], next_after: null });
  });

  test('shows nothing of others', async () => {
    const { security } = await list();
    const stranger = await createPartner(db, 'cross_lister');
    const [id] = await tellSettled(security, 1);
    await untilListed(lister, 1);
    expect(await read(stranger)).toEqual({ events: [], next_after: null });
    const { status, body } = await stranger.client.get(`/v1/events?after=${id}`);
    expect([status, body]).toMatchObject([400, { error: { details: { field: 'after', reason: 'unknown_event' } } }]);
  });

  test.each([
    'types=transfer.initiated',
    'types=trade.executed,',
    'types=',
    'types=trade',
    'wait=21',
    'wait=-1',
    'limit=0',
    'limit=101',
    'after=',
  ])('refuses ?%s', async (query) => {
    const partner = await createPartner(db, 'cross_lister');
    const { status, body } = await partner.client.get(`/v1/events?${query}`);
    expect([status, body]).toMatchObject([400, { error: { code: 'VALIDATION_ERROR' } }]);
  });

  test.each(['before_enqueue', 'before_mark', 'after_mark'] as const)(
    'has each event once, as its webhook has it, where the dispatcher is killed %s',
    async (point) => {
      const { security } = await list();
      const receiver = outsideReceiver();
      await createTestEndpoint(receiver.url, { organization: lister.organization, events: ['settlement.finalized'] });
      dispatchFaults.kills = [point, point];
      const ids = await tellSettled(security, 3).catch(() => []);
      const isDone = async () => {
        await wakeDispatch(env).catch(() => undefined);
        const { left } = (await env.DB.prepare(
          'SELECT count(*) AS left FROM domain_events WHERE dispatched_at IS NULL AND subject = ?1',
        )
          .bind(security)
          .first<{ left: number }>()) ?? { left: 1 };
        return left === 0 || null;
      };
      await eventually(isDone, () => 'the events are not told');
      await untilListed(lister, 3);
      const { events } = await read(lister);
      expect(events).toHaveLength(3);
      if (ids.length > 0) expect(idsOf({ events, next_after: null })).toEqual(ids);
      const sent = (await receiver.receives(3)).map(({ body }) => JSON.parse(body) as Body);
      const atList = (body: Body) => ({ ...body, webhook_event: { ...body.webhook_event, endpoint: ADDRESS } });
      expect(events).toEqual(sent.map(atList));
    },
  );
});

/** So many wait for events of the organization. */
async function untilWaiting(organization: string, count: number): Promise<void> {
  const object = () => env.PARTNER_EVENTS.getByName(organization);
  const isThere = async () => (await runInDurableObject(object(), ({ waiting }) => waiting)) >= count || null;
  await eventually(isThere, () => `no ${count} wait`);
}

describe('the list of an organization', () => {
  const message = (payload = '{}') => ({ eventId: uuidv7(), type: 'trade.executed', payload });
  const all = { after: null, types: ['trade.executed'], limit: 100 } as const;

  test('lets twenty wait: the first of them makes room for another, with an empty answer', async () => {
    const name = uuidv7();
    const read = () => partnerEventsOf(env, name).read({ ...all, waitMs: 20_000 });
    const first = read();
    await untilWaiting(name, 1);
    const others = Array.from({ length: 19 }, read);
    await untilWaiting(name, 20);
    const last = read();
    expect(await first).toEqual({ events: [], hasMore: false, last: null });
    const told = message();
    await partnerEventsOf(env, name).append([told]);
    for (const page of await Promise.all([...others, last])) expect(page?.events).toEqual([told]);
  });

  test('ends a page that is long enough, and goes on behind it', async () => {
    const name = uuidv7();
    const object = () => partnerEventsOf(env, name);
    const told = Array.from({ length: 5 }, () => message(JSON.stringify({ text: 'x'.repeat(400_000) })));
    await object().append(told);
    const page = await object().read({ ...all, waitMs: 0 });
    expect([page?.events.length, page?.hasMore]).toEqual([3, true]);
    const rest = await object().read({ ...all, after: told[2]?.eventId ?? '', waitMs: 0 });
    expect([rest?.events.map(({ eventId }) => eventId), rest?.hasMore]).toEqual([
      told.slice(3).map(({ eventId }) => eventId),
      false,
    ]);
  });

  test('forgets what is older than thirty days, and does not know it any more', async () => {
    const name = uuidv7();
    const object = () => partnerEventsOf(env, name);
    const old = message();
    await object().append([old]);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 30 * DAY_MS - 60_000 });
    const young = message();
    await object().append([young]);
    await runDurableObjectAlarm(env.PARTNER_EVENTS.getByName(name));
    expect((await object().read({ ...all, waitMs: 0 }))?.events).toEqual([old, young]);
    vi.setSystemTime(Date.now() + 120_000);
    await runDurableObjectAlarm(env.PARTNER_EVENTS.getByName(name));
    expect((await object().read({ ...all, waitMs: 0 }))?.events).toEqual([young]);
    expect(await object().read({ ...all, after: old.eventId, waitMs: 0 })).toBeNull();
    // Behind the last one the list goes on, however long nothing comes.
    vi.setSystemTime(Date.now() + 90 * DAY_MS);
    await runDurableObjectAlarm(env.PARTNER_EVENTS.getByName(name));
    expect(await object().read({ ...all, after: young.eventId, waitMs: 0 })).toMatchObject({ events: [] });
    const alarmAt = () =>
      runInDurableObject(env.PARTNER_EVENTS.getByName(name), (_, { storage }) => storage.getAlarm());
    expect(await alarmAt(), 'nothing is left to forget').toBeNull();
    await object().append([message()]);
    expect(await alarmAt()).toBeGreaterThan(Date.now());
  });
});
