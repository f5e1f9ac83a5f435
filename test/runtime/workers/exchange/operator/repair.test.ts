import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { uuidv7 } from 'uuidv7';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { Database } from '../../../../../data/database.ts';
import { VENUE_OWNER } from '../../../../../domain/identity/venue.ts';
import { LEDGER_SHARD } from '../../../../../durable-objects/ledger/api.ts';
import { untilProjected } from '../../../fixtures/book-commands.ts';
import { createPair } from '../../../fixtures/create-pair.ts';
import { createTrader } from '../../../fixtures/create-trader.ts';
import { type Client, signedIn } from '../../../fixtures/exchange-client.ts';
import { expectRightLedger } from '../../../fixtures/expect-right-ledger.ts';
import { clearLedgerFaults, planLedgerFaults } from '../../../fixtures/faulty-ledger.ts';
import { migrate } from '../../../fixtures/migrate.ts';
import { limitOrder, placed } from '../../../fixtures/placing.ts';
import { tradingClient } from '../../../fixtures/trading-client.ts';

let db: Database;
let operatorId: string;
let operator: Client;
let theirs: Client;

beforeAll(async () => {
  db = await migrate();
  const venueOperator = await createTrader(db, { owner: VENUE_OWNER, roles: ['operator'] });
  operatorId = venueOperator.userId;
  operator = await signedIn(venueOperator);
  theirs = await signedIn(await createTrader(db, { roles: ['operator'] }));
});

interface Listed<Item> {
  readonly data: readonly Item[];
}

interface Action {
  readonly type: string;
  readonly actor: string;
  readonly details: { readonly reason?: string };
  readonly before: { readonly halted?: string };
}

const actionsOn = async (subject: string): Promise<readonly Action[]> =>
  (await operator.get<Listed<Action>>(`/v1/operator/audit-trail?subject=${subject}`)).body.data;

/** A market of its own with an open order, its book halted by a journal that is not what was written. */
async function haltedMarket(name: string): Promise<{ symbol: string; repair: () => Promise<void> }> {
  await createPair(db, name);
  const trader = await tradingClient(db, { cash: 1_000_00 });
  await placed(trader, limitOrder(name.toLowerCase(), 'BUY', 2, 9));
  const symbol = `${name}-USD`;
  await untilProjected();
  const tamper = async (from: number, to: number): Promise<void> => {
    const stub = env.ORDER_BOOK.getByName(symbol);
    const statement = `UPDATE journal SET entry = replace(entry, '"GTC",${from},', '"GTC",${to},') WHERE seq = 1`;
    await runInDurableObject(stub, (_, { storage }) => void storage.sql.exec(statement));
    await evictDurableObject(stub);
  };
  await tamper(2, 3);
  return { symbol, repair: () => tamper(3, 2) };
}

const BROKEN = 'row 1 of the journal is not what was journaled';

describe('POST /v1/operator/books/{symbol}/resume', () => {
  test('a halted book tries again: it halts anew while the cause is there, and goes on after the repair; who, why and from what stand in the audit trail', async () => {
    const { symbol, repair } = await haltedMarket('STUCK');
    const books =
      await operator.get<Listed<{ symbol: string; status: { halted: string | null } }>>('/v1/operator/books');
    expect(books.body.data.find((book) => book.symbol === symbol)?.status.halted).toBe(BROKEN);

    const path = `/v1/operator/books/${symbol}/resume`;
    const tooEarly = await operator.post(path, { reason: 'looks fine to me' });
    expect(tooEarly).toMatchObject({ status: 200, body: { data: { symbol, status: { halted: BROKEN } } } });
    await repair();
    const key = { 'idempotency-key': uuidv7() };
    const resumed = await operator.post(path, { reason: 'journal repaired from the backup' }, key);
    expect(resumed).toMatchObject({ status: 200, body: { data: { status: { halted: null, liveOrders: 1 } } } });
    expect(await operator.post(path, { reason: 'journal repaired from the backup' }, key)).toMatchObject({
      status: 200,
      body: resumed.body as Record<string, unknown>,
    });

    const by = { type: 'operator.book_resume', actor: operatorId, before: { halted: BROKEN } };
    expect(await actionsOn(symbol)).toMatchObject([
      { ...by, details: { reason: 'journal repaired from the backup' } },
      { ...by, details: { reason: 'looks fine to me' } },
    ]);
    await expectRightLedger();
  });

  test('an attempt that was written down and lost is carried out by its repetition', async () => {
    const { symbol, repair } = await haltedMarket('LOST');
    await env.ORDER_BOOK.getByName(symbol).status();
    await repair();
    const key = { 'idempotency-key': uuidv7() };
    await db.$client.prepare('ALTER TABLE domain_events RENAME TO domain_events_away').run();
    const refused = await operator.post(`/v1/operator/books/${symbol}/resume`, { reason: 'repaired' }, key);
    await db.$client.prepare('ALTER TABLE domain_events_away RENAME TO domain_events').run();
    expect(refused).toMatchObject({ status: 503 });
    expect((await env.ORDER_BOOK.getByName(symbol).status()).halted).toBe(BROKEN);
    const again = await operator.post(`/v1/operator/books/${symbol}/resume`, { reason: 'repaired' }, key);
    expect(again).toMatchObject({ status: 200, body: { data: { status: { halted: null } } } });
    expect(await actionsOn(symbol)).toHaveLength(1);
  });

  test('refuses a book that runs, a market that does not exist, and an action without a reason; nothing is written down', async () => {
    await createPair(db, 'SOUND');
    const resume = (symbol: string, body: unknown) => operator.post(`/v1/operator/books/${symbol}/resume`, body);
    expect(await resume('SOUND-USD', { reason: 'just in case' })).toMatchObject({
      status: 409,
      body: { error: { code: 'CONFLICT' } },
    });
    expect(await resume('NONE-USD', { reason: 'just in case' })).toMatchObject({ status: 404 });
    for (const body of [{}, { reason: '  ' }, { reason: 'x'.repeat(501) }])
      expect(await resume('SOUND-USD', body)).toMatchObject({ status: 400 });
    expect(await actionsOn('SOUND-USD')).toEqual([]);
  });
});

interface LedgerView {
  readonly data: {
    readonly rebuild: { readonly phase: string } | null;
    readonly bounds: readonly {
      readonly bound: string;
      readonly used: number;
      readonly max: number;
      readonly fill: number;
    }[];
  };
}

const ledger = () => operator.get<LedgerView>('/v1/operator/ledger');

describe('GET /v1/operator/ledger', () => {
  test('says whether it is halted, how far D1 and R2 are behind, and how full each bound is; the state hash is asked for by itself', async () => {
    await untilProjected();
    const { status, body } = await ledger();
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      halted: null,
      admits: true,
      lag: { rows: 0, seconds: 0 },
      cancellationsPending: 0,
      rebuild: null,
    });
    expect(body.data).not.toHaveProperty('stateHash');
    expect(body.data.bounds.map(({ bound }) => bound)).toEqual([
      'balances',
      'reservations',
      'amendments',
      'lots',
      'unsettled',
      'queued_transactions',
      'queued_bytes',
      'unprojected_rows',
      'unprojected_bytes',
      'unsealed_bytes',
      'store_bytes',
    ]);
    const balances = body.data.bounds.find(({ bound }) => bound === 'balances');
    expect(balances?.used).toBeGreaterThan(2);
    expect(balances).toMatchObject({ max: 1_000_000, fill: Number(balances?.used) / 1_000_000 });
    expect(await operator.get('/v1/operator/ledger/state-hash')).toMatchObject({
      body: { data: { journaledRows: expect.any(Number), stateHash: expect.stringMatching(/^[0-9a-f]{16}$/) } },
    });
  });

  test('the log has its lag and bounds, for whoever collects metrics', async () => {
    const lines: string[] = [];
    const written = vi.spyOn(console, 'log').mockImplementation((line) => void lines.push(String(line)));
    planLedgerFaults({ settings: { reportEvery_ms: 0 } });
    await createTrader(db, { cash: 1_00 });
    clearLedgerFaults();
    written.mockRestore();
    const line = lines.map((each) => JSON.parse(each)).find(({ event }) => event === 'ledger status');
    expect(line).toMatchObject({
      level: 'info',
      ledger: LEDGER_SHARD,
      lag: { rows: expect.any(Number), ms: expect.any(Number) },
      unsealed: expect.any(Number),
      admits: true,
      bounds: { unprojected_rows: { used: expect.any(Number), max: 100_000 } },
    });
  });
});

describe('POST /v1/operator/ledger/rebuild-read-model', () => {
  test('writes D1 again from the journal in the background; progress is shown, and who asked for it and why is in the audit trail', async () => {
    const trader = await tradingClient(db, { cash: 1_000_00 });
    await db.$client.prepare('UPDATE balances SET available = 5 WHERE account = ?').bind(trader.accountId).run();
    const key = { 'idempotency-key': uuidv7() };
    const path = '/v1/operator/ledger/rebuild-read-model';
    const begun = await operator.post(path, { reason: 'a balance is wrong in D1' }, key);
    expect(begun).toMatchObject({ status: 200, body: { data: { phase: expect.any(String), reason: null } } });
    await vi.waitFor(async () => {
      await runDurableObjectAlarm(env.LEDGER.getByName(LEDGER_SHARD));
      expect((await ledger()).body.data.rebuild).toMatchObject({ phase: 'done' });
    });
    const { totalRows, verifiedRows, projectedRows } = (await ledger()).body.data.rebuild as unknown as Record<
      string,
      number
    >;
    expect(totalRows).toBeGreaterThan(1);
    expect([verifiedRows, projectedRows]).toEqual([totalRows, totalRows]);
    expect(await trader.get('/v1/account')).toMatchObject({ body: { data: { cashBalance: 1_000 } } });
    expect(await actionsOn(LEDGER_SHARD)).toMatchObject([
      { type: 'operator.read_model_rebuild', actor: operatorId, details: { reason: 'a balance is wrong in D1' } },
    ]);
    await expectRightLedger();
  });
});

test('an operator of another organization than the venue sees and does nothing of this', async () => {
  for (const path of ['books/ONE-USD/resume', 'ledger/rebuild-read-model'])
    expect(await theirs.post(`/v1/operator/${path}`, { reason: 'mine' })).toMatchObject({ status: 403 });
  for (const path of ['ledger', 'ledger/state-hash', 'books/ONE-USD/state-hash'])
    expect(await theirs.get(`/v1/operator/${path}`)).toMatchObject({ status: 403 });
});
