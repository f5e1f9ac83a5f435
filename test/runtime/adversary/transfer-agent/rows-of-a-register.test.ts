import { env } from 'cloudflare:workers';
import { uuidv7 } from 'uuidv7';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { watchDatabase } from '../../../../application/operator/watch-database.ts';
import { carryOnActions } from '../../../../application/partner/actions/carry-on-actions.ts';
import type { Database } from '../../../../data/database.ts';
import { REGISTERS_STOP_BYTES } from '../../../../data/jobs/database-size.ts';
import {
  findRegisterEvent,
  NOT_ANNOUNCED,
  type RegisterLine,
  refuseEvent,
  stageEvent,
} from '../../../../data/partner/register/register-events.ts';
import { ROWS_MAX } from '../../../../data/partner/register/register-room.ts';
import { DAY_MS } from '../../../../domain/calendar/durations.ts';
import { createKeyHolder } from '../../fixtures/book-client.ts';
import { createCurrency } from '../../fixtures/create-currency.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { venueOperator } from '../../fixtures/cross-list.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { createPartner, createSecurity, type Partner } from '../../fixtures/partner-client.ts';

const GB = 1_000_000_000;

let db: Database;
let lister: Partner;

beforeAll(async () => {
  db = await migrate();
  await createCurrency(db);
  lister = await createPartner(db, 'cross_lister');
});

afterEach(async () => {
  await env.DB.prepare('DELETE FROM database_size').run();
});

let pairs = 0;
async function listed(agent?: Partner) {
  pairs += 1;
  const by = agent ?? (await createPartner(db, 'transfer_agent'));
  const id = uuidv7();
  const { symbol } = await createPair(db, `ROW${pairs}`, { asset: { id } });
  const accepted = { transferAgent: by.organization, agentState: 'accepted' } as const;
  await createSecurity(db, lister, { id, state: 'listed', market: symbol, symbol: `ROW${pairs}`, ...accepted });
  return { id, symbol, agent: by };
}

type Listed = Awaited<ReturnType<typeof listed>>;

const scopeOf = ({ id, agent }: Listed) => `security:${id} ${agent.organization}`;

const row = (n: number, shares = 10) => ({ holder_reference: `R-${n}`, holder_name: `N ${n}`, shares });
const importRows = ({ id, agent }: Listed, holders: object[]) =>
  agent.client.post<object>(`/v1/captable/${id}/import`, { holders });
const announce = ({ id, agent }: Listed, terms: object = {}) =>
  agent.client.post<{ corporate_action_id: string }>('/v1/corporate-actions', {
    security_id: id,
    action_type: 'dividend',
    amount_per_share: 0.25,
    currency: 'USD',
    description: 'Annual dividend',
    record_date: new Date().toISOString(),
    payment_date: new Date().toISOString(),
    ...terms,
  });

const today = () => Math.floor(Date.now() / DAY_MS);
const count = (scope: string, lines: number, day = today()) =>
  env.DB.prepare(
    'INSERT INTO register_row_counts (scope, day, lines) VALUES (?1, ?2, ?3) ON CONFLICT DO UPDATE SET lines = excluded.lines',
  )
    .bind(scope, day, lines)
    .run();
const counted = async (scope: string) =>
  (
    await env.DB.prepare('SELECT sum(lines) AS n FROM register_row_counts WHERE scope = ?1')
      .bind(scope)
      .first<{ n: number }>()
  )?.n;
const linesOf = async (security: string) =>
  (
    await env.DB.prepare('SELECT count(*) AS n FROM register_changes WHERE security = ?1')
      .bind(security)
      .first<{ n: number }>()
  )?.n;
const holdersOf = async (security: string) =>
  (
    await env.DB.prepare('SELECT count(*) AS n FROM register_holders WHERE security = ?1')
      .bind(security)
      .first<{ n: number }>()
  )?.n;
const databaseHas = (bytes: number) =>
  env.DB.prepare(
    'INSERT INTO database_size (id, bytes, seen_at) VALUES (1, ?1, 1) ON CONFLICT DO UPDATE SET bytes = excluded.bytes',
  )
    .bind(bytes)
    .run();

async function ordersGoOn({ symbol }: Listed): Promise<void> {
  const buyer = await createKeyHolder(db, { cash: 1_000_00 });
  const order = { symbol, side: 'buy', type: 'limit', size: 1, price: 10, time_in_force: 'GTC' };
  expect((await buyer.client.post('/v1/orders', order)).status).toBeLessThan(300);
}

describe('M-04: the rows of registers', () => {
  test('an event counts as one row, and each of its lines, for agent and security', async () => {
    const security = await listed();
    expect((await importRows(security, [row(1), row(2)])).status).toBe(200);
    expect(await counted(`agent:${security.agent.organization}`)).toBe(3);
    expect(await counted(scopeOf(security))).toBe(3);
  });

  test.each([
    ['agent', 'agent', ROWS_MAX.agent, today() - 400],
    ['agent_day', 'agent', ROWS_MAX.agentDay, today()],
    ['security', 'security', ROWS_MAX.security, today() - 400],
    ['security_day', 'security', ROWS_MAX.securityDay, today()],
  ] as const)(
    'at the bound of %s an import is refused by a name of its own, nothing is written, and orders go on',
    async (of, whose, limit, day) => {
      const security = await listed();
      const scope = whose === 'agent' ? `agent:${security.agent.organization}` : scopeOf(security);
      await count(scope, limit - 2, day);
      expect(await importRows(security, [row(1), row(2)])).toMatchObject({
        status: 409,
        body: { error: { code: 'CONFLICT', details: { reason: 'too_many_rows', of, limit } } },
      });
      expect([await linesOf(security.id), await holdersOf(security.id), await counted(scope)]).toEqual([
        0,
        0,
        limit - 2,
      ]);
      expect((await importRows(security, [row(1)])).status).toBe(200);
      await ordersGoOn(security);
    },
  );

  test('the bound of one agent is no bound of another', async () => {
    const [full, other] = [await listed(), await listed()];
    await count(`agent:${full.agent.organization}`, ROWS_MAX.agent);
    expect((await importRows(full, [row(1)])).status).toBe(409);
    expect((await importRows(other, [row(1)])).status).toBe(200);
  });

  test('lines that a former agent has used up are there for the next, and for the former one again none', async () => {
    const security = await listed();
    await count(scopeOf(security), ROWS_MAX.security - 2, today() - 400);
    expect((await importRows(security, [row(1)])).status).toBe(200);
    expect((await importRows(security, [row(2)])).status).toBe(409);
    const next = { ...security, agent: await createPartner(db, 'transfer_agent') };
    const goesTo = (agent: Partner) =>
      env.DB.prepare('UPDATE securities SET transfer_agent = ?1 WHERE id = ?2')
        .bind(agent.organization, security.id)
        .run();
    await goesTo(next.agent);
    expect((await importRows(next, [row(2)])).status).toBe(200);
    expect(await counted(scopeOf(next))).toBe(2);
    await goesTo(security.agent);
    expect((await importRows(security, [row(3)])).status).toBe(409);
  });

  test('the bound of yesterday is over today', async () => {
    const security = await listed();
    await count(scopeOf(security), ROWS_MAX.securityDay, today() - 1);
    expect((await importRows(security, [row(1)])).status).toBe(200);
  });

  test('an action counts a row for each holder, and is refused where they do not fit', async () => {
    const security = await listed();
    expect((await importRows(security, [row(1), row(2), row(3)])).status).toBe(200);
    await count(scopeOf(security), ROWS_MAX.securityDay - 5);
    expect((await announce(security)).status).toBe(201);
    expect(await announce(security)).toMatchObject({
      status: 409,
      body: { error: { details: { reason: 'too_many_rows', of: 'security_day' } } },
    });
    expect((await announce(security, { action_type: 'name_change' })).status).not.toBe(409);
  });

  test('an import that comes to nothing leaves no holders, and its lines do not count', async () => {
    const security = await listed();
    expect((await importRows(security, [row(1)])).status).toBe(200);
    const lines = [1, 2, 3].map(
      (n): RegisterLine => ({
        holder: { id: uuidv7(), account: null, reference: `R-${n}`, kind: 'individual', name: `N ${n}`, country: null },
        shares: 10,
        cost: 0,
        acquiredAt: 1,
        restrictionEndsAt: null,
        offeringType: null,
        certificate: null,
        legend: false,
      }),
    );
    const event = {
      id: uuidv7(),
      security: security.id,
      type: 'import',
      hash: 'h',
      recordDate: null,
      notes: null,
      actor: 'a',
    } as const;
    await stageEvent(db, { ...event, createdAt: Date.now() }, lines);
    expect([await holdersOf(security.id), await counted(scopeOf(security))]).toEqual([3, 6]);
    // The same again writes what is missing, and counts nothing twice.
    await stageEvent(db, { ...event, createdAt: Date.now() + 1 }, lines);
    expect(await counted(scopeOf(security))).toBe(6);
    expect(await refuseEvent(db, { id: event.id, state: 'staged' }, NOT_ANNOUNCED)).toBe(true);
    expect([await holdersOf(security.id), await counted(scopeOf(security))]).toEqual([1, 3]);
    // Begun anew, it has all of them.
    await stageEvent(db, { ...event, createdAt: Date.now() + 2 }, lines);
    expect([await holdersOf(security.id), (await findRegisterEvent(db, event.id))?.state]).toEqual([3, 'staged']);
  });
});

describe('M-04: a database that is nearly full', () => {
  test('takes no rows of registers and actions, and orders go on', async () => {
    const security = await listed();
    await databaseHas(REGISTERS_STOP_BYTES);
    const full = { status: 503, body: { error: { details: { reason: 'database_full' } } } };
    expect(await importRows(security, [row(1)])).toMatchObject(full);
    expect(await announce(security)).toMatchObject(full);
    await ordersGoOn(security);
    await databaseHas(REGISTERS_STOP_BYTES - 1);
    expect((await importRows(security, [row(1)])).status).toBe(200);
  });

  test('is looked at, and told before it is full', async () => {
    const told = { warn: vi.spyOn(console, 'warn'), error: vi.spyOn(console, 'error') };
    const measured = (exchange: number, events = 5, ledger = 5) => ({
      exchange: async () => exchange,
      events: async () => events,
      ledger: async () => ledger,
    });
    await watchDatabase(env, 5);
    const seen = await env.DB.prepare('SELECT bytes, seen_at FROM database_size').first<{
      bytes: number;
      seen_at: number;
    }>();
    expect(seen).toMatchObject({ seen_at: 5 });
    expect(seen?.bytes).toBeGreaterThan(100_000);
    expect(told.warn).not.toHaveBeenCalled();
    await watchDatabase(env, 6, measured(6 * GB));
    expect(told.warn.mock.calls.join()).toContain('the database fills');
    await watchDatabase(env, 7, measured(8 * GB));
    expect(told.error.mock.calls.join()).toContain('registers take no rows');
    vi.clearAllMocks();
    await watchDatabase(env, 8, measured(5, 6 * GB, 8 * GB));
    expect(told.warn.mock.calls.join()).toContain('"store":"events"');
    expect(told.error.mock.calls.join()).toContain('"store":"ledger"');
    vi.restoreAllMocks();
  });

  test('M-18: stops registers where the deployment says, within one look, and no store that is silent keeps another from it', async () => {
    const security = await listed();
    const failing = async () => Promise.reject(new Error('away'));
    const measures = { exchange: async () => 8 * GB, events: failing, ledger: failing };
    const others = { exchange: failing, events: async () => 7, ledger: failing };
    await expect(watchDatabase(env, Date.now(), others)).rejects.toThrow('do not say how large');
    const seen = await env.DB.prepare("SELECT bytes FROM store_sizes WHERE store = 'events'").first<{
      bytes: number;
    }>();
    expect(seen?.bytes).toBe(7);
    const look = (vars: object) => watchDatabase({ ...env, ...vars }, Date.now(), measures).catch(() => undefined);
    await look({});
    expect((await importRows(security, [row(1)])).status).toBe(503);
    await look({ REGISTERS_STOP_GB: '9' });
    expect((await importRows(security, [row(1)])).status).toBe(200);
    const error = vi.spyOn(console, 'error');
    await look({ REGISTERS_STOP_GB: 'nine' });
    expect(error.mock.calls.join()).toContain('10 and 8 GB count');
    vi.restoreAllMocks();
    expect((await importRows(security, [row(2)])).status).toBe(503);
  });

  test('M-18: is shown to operators of the venue with what is left and how fast it grows', async () => {
    const operator = await venueOperator(db);
    await env.DB.prepare('DELETE FROM store_sizes').run();
    expect((await operator.get<{ data: object[] }>('/v1/operator/stores')).body.data).toEqual([]);
    const measured = (exchange: number) => ({
      exchange: async () => exchange,
      events: async () => 1,
      ledger: async () => 2,
    });
    const now = Date.now();
    await watchDatabase(env, now - 91 * DAY_MS, measured(1));
    await watchDatabase(env, now - 2 * DAY_MS, measured(1 * GB));
    await watchDatabase(env, now, measured(3 * GB));
    const { status, body } = await operator.get<{ data: object[] }>('/v1/operator/stores');
    expect(status).toBe(200);
    const exchange = { bytes: 3 * GB, bytesMax: 10 * GB, bytesLeft: 7 * GB, bytesPerDay: 1 * GB, daysLeft: 7 };
    expect(body.data).toMatchObject([
      { store: 'events', bytes: 1, bytesPerDay: 0, daysLeft: null },
      { store: 'exchange', ...exchange },
      { store: 'ledger', bytes: 2 },
    ]);
    const kept = await env.DB.prepare('SELECT count(*) AS n FROM store_sizes').first<{ n: number }>();
    expect(kept?.n).toBe(6);
  });
});

test('M-04: a dividend that pays nobody writes no row for each holder', async () => {
  const security = await listed();
  expect((await importRows(security, [row(1), row(2), row(3)])).status).toBe(200);
  const made = await announce(security, { amount_per_share: 0.0001 });
  expect(made.status).toBe(201);
  await carryOnActions(env, Date.now() + 1_000);
  await carryOnActions(env, Date.now() + 2_000);
  const { body } = await security.agent.client.get<object>(`/v1/corporate-actions/${made.body.corporate_action_id}`);
  expect(body).toMatchObject({ status: 'completed' });
  const rows = env.DB.prepare('SELECT count(*) AS n FROM corporate_action_payments WHERE action = ?1');
  expect(await rows.bind(made.body.corporate_action_id).first()).toEqual({ n: 0 });
});
