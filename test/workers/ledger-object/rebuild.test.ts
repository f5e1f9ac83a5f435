import { runDurableObjectAlarm } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { uuidv7 } from 'uuidv7';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { DoorTransaction } from '../../../durable-objects/ledger/api.ts';
import type { LedgerPoint } from '../../../durable-objects/ledger/ledger.ts';
import { everything, openReadModel } from '../projection/read-model.ts';
import { clearLedgerFaults, type LedgerFaults, planLedgerFaults } from './faulty-ledger.ts';
import { ask, cancelled, deposit, filled, inStorage, ledgerNamed, order, restart, TestBook } from './ledger-client.ts';

const SHARD = 'ledger:0';
const SETTINGS: LedgerFaults['settings'] = {
  alarmAfter_ms: 5,
  segmentRows: 3,
  checkpointRows: 4,
  projectRowsMax: 2,
  projectRest_ms: 1,
  sealRetry_ms_min: 2,
};

async function transact(transaction: DoorTransaction): Promise<void> {
  const outcome = await ask(SHARD, (ledger) => ledger.transact(transaction));
  expect(outcome).toMatchObject({ type: 'done' });
}

/** Traffic of every kind that the projection knows. */
async function trade(book: TestBook, rounds: number): Promise<void> {
  const lotId = uuidv7();
  const lot = { id: `${lotId}.0`, account: 'bob', quantity: 100, cost: 5, acquiredAt: 1, restrictionEndsAt: null };
  const event = (subject: string) => ({ id: uuidv7(), type: 'operator.test', subject, payload: {}, createdAt: 1 });
  await transact(deposit('alice', 1_000, { event: event('alice') }));
  await transact(deposit('bob', 1_000, { asset: 'share' }));
  const lots = [{ ...lot, offeringType: null }];
  await transact(deposit('bob', 100, { id: lotId, asset: 'acme', tracksLots: true, lots, cost: 5 }));
  await transact(deposit('bob', 40, { type: 'withdrawal', asset: 'acme', tracksLots: true }));
  await transact({ kind: 'grant', id: uuidv7(), account: 'alice', asset: 'cap', amount: 9, createdAt: 1, expect: [] });
  for (let round = 1; round <= rounds; round++) {
    const buy = order('alice', 10, { clientOrderId: uuidv7() });
    const sell = order('bob', 10, { side: 'sell', reserveAsset: 'share' });
    const rest = order('alice', 5);
    await book.send(book.compose([buy, sell, rest, order('alice', 1)]));
    await book.send(book.compose([], [filled(buy, sell, round), cancelled(rest)]));
  }
  const facts = {
    kycStatus: 'completed',
    accreditationStatus: 'none',
    accreditationType: null,
    usPerson: false,
    annualIncome: 1,
    netWorth: 2,
    frozen: false,
  } as const;
  const base = { account: 'alice', cancelsOrders: false, createdAt: 1 };
  await transact({ kind: 'facts', id: uuidv7(), ...base, expectedVersion: 1, facts, event: event('alice') });
  await transact({ kind: 'facts', id: uuidv7(), ...base, expectedVersion: 2, facts: null, event: null });
  const rules = { quantityMin: 1, quantityMax: 9, makerFeeBps: 1, takerFeeBps: 2, bandBps: 0, referencePrice: null };
  const market = { kind: 'market', symbol: 'ACME-USD', createdAt: 1, event: null } as const;
  await transact({ ...market, id: uuidv7(), expectedVersion: 1, rules: { ...rules, status: 'halted' } });
  await transact({ ...market, id: uuidv7(), expectedVersion: 2, rules: { ...rules, status: 'open' } });
  await transact({ kind: 'venue', id: uuidv7(), halted: true, createdAt: 1, event: null });
  await transact({ kind: 'venue', id: uuidv7(), halted: false, createdAt: 1, event: null });
  const { status, reserve, allowance, position, factsVersion, rulesVersion, ...kept } = order('alice', 1);
  const rejected = { ...kept, book: null, assetId: 'acme', preIpo: true, code: 'FORBIDDEN' };
  await transact({ kind: 'rejected_order', order: rejected });
}

function settingsAnd(faults: Partial<LedgerFaults> = {}): void {
  planLedgerFaults({ settings: SETTINGS, ...faults });
}

let before: Record<string, unknown>;

beforeAll(async () => {
  await openReadModel();
  settingsAnd();
  await trade(await new TestBook(SHARD, 'SHARE-USD').takeOver(), 10);
  expect(await ask(SHARD, (ledger) => ledger.projected())).toBe(true);
  before = await everything();
  const tables = Object.entries(before).filter(([, rows]) => (rows as unknown[]).length === 0);
  expect(tables.map(([name]) => name)).toEqual(['api_keys']);
  await vi.waitFor(async () => {
    const first = await inStorage(
      SHARD,
      ({ sql }) => sql.exec<{ n: number }>('SELECT min(seq) AS n FROM journal').one().n,
    );
    expect(first, 'rows are pruned').toBeGreaterThan(10);
  });
});
afterEach(clearLedgerFaults);

/** D1 as nobody should find it. */
async function damage(): Promise<void> {
  await env.DB.batch(
    [
      'UPDATE balances SET available = available + 1',
      'DELETE FROM trades',
      "UPDATE orders SET status = 'open'",
      'DELETE FROM lots',
      'UPDATE bars SET volume = volume * 2',
      "UPDATE accounts SET facts_version = 9, annual_income = 3 WHERE id = 'alice'",
      'UPDATE markets SET maker_fee_bps = 99, rules_version = 7',
      'UPDATE venue SET halted = 1',
    ].map((sql) => env.DB.prepare(sql)),
  );
  expect(await everything()).not.toEqual(before);
}

test('the read model written again from segments and journal is what it was, damaged or not', async () => {
  settingsAnd();
  for (const isDamaged of [false, true]) {
    if (isDamaged) await damage();
    await ask(SHARD, (ledger) => ledger.rebuildReadModel());
    expect(await ask(SHARD, (ledger) => ledger.projected())).toBe(true);
    expect(await everything()).toEqual(before);
  }
  const { journaled, projected, halted } = await ledgerNamed(SHARD).status();
  expect({ projected, halted }).toEqual({ projected: journaled, halted: null });
});

test.each<LedgerPoint>(['before_project', 'after_project'])('killed %s again and again, it goes on', async (point) => {
  settingsAnd();
  await damage();
  let left = 4;
  settingsAnd({ kills: (at) => at === point && left-- > 0 });
  await ask(SHARD, (ledger) => ledger.rebuildReadModel());
  await expect
    .poll(
      async () => {
        await runDurableObjectAlarm(env.LEDGER.getByName(SHARD)).catch(() => undefined);
        return ask(SHARD, (ledger) => ledger.projected());
      },
      { timeout: 20_000 },
    )
    .toBe(true);
  expect(left).toBeLessThan(1);
  expect(await everything()).toEqual(before);
});

test('an instance that starts while it is under way does not take D1 for complete', async () => {
  settingsAnd({ waits: (point) => (point === 'before_project' ? new Promise(() => undefined) : undefined) });
  await restart(SHARD);
  await ask(SHARD, (ledger) => ledger.rebuildReadModel());
  settingsAnd();
  await restart(SHARD);
  expect(await ask(SHARD, (ledger) => ledger.projected())).toBe(true);
  expect(await everything()).toEqual(before);
});

test('with D1 away nothing is emptied', async () => {
  settingsAnd({ d1: () => 'away' });
  const answer = await ledgerNamed(SHARD)
    .rebuildReadModel()
    .then(() => 'answered', String);
  expect(answer).toMatch(/connection lost/);
  settingsAnd();
  expect(await ask(SHARD, (ledger) => ledger.projected())).toBe(true);
  expect(await everything()).toEqual(before);
});

test('D1 with rows of another shard is not emptied', async () => {
  await env.DB.prepare("INSERT INTO projections (shard, seq) VALUES ('ledger:1', 1)").run();
  expect(await ledgerNamed(SHARD).rebuildReadModel()).toEqual({ type: 'shared', shard: 'ledger:1' });
  await env.DB.prepare("DELETE FROM projections WHERE shard = 'ledger:1'").run();
  expect(await ask(SHARD, (ledger) => ledger.projected())).toBe(true);
  expect(await everything()).toEqual(before);
});

test('a segment that is not what was sealed halts the ledger with the reason', async () => {
  settingsAnd();
  const [first] = (await env.LEDGER_JOURNAL.list({ prefix: `${SHARD}/` })).objects;
  const text = await (await env.LEDGER_JOURNAL.get(first?.key ?? ''))?.text();
  await env.LEDGER_JOURNAL.put(first?.key ?? '', text?.replace('alice', 'mallo') ?? '');
  await ask(SHARD, (ledger) => ledger.rebuildReadModel());
  await expect
    .poll(async () => (await ledgerNamed(SHARD).status()).halted)
    .toMatch(/^D1 lacks journal rows from 1, .*segment 1 to 3: journal row \d does not continue the chain/);
});
