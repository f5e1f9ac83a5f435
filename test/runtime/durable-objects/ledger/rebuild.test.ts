import { runDurableObjectAlarm } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { uuidv7 } from 'uuidv7';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { beginEmptying, emptyStep } from '../../../../data/ledger/projection/empty-read-model.ts';
import { JournalPart } from '../../../../data/ledger/projection/journal-part.ts';
import { project } from '../../../../data/ledger/projection/project.ts';
import { DAY_MS } from '../../../../domain/calendar/durations.ts';
import { NO_BALANCE } from '../../../../domain/ledger/balances.ts';
import type { SettlementChunk } from '../../../../domain/ledger/records.ts';
import { ALL_END } from '../../../../domain/ledger/split-units.ts';
import type { DoorTransaction, RebuildOutcome, RebuildProgress } from '../../../../durable-objects/ledger/api.ts';
import type { LedgerPoint } from '../../../../durable-objects/ledger/ledger.ts';
import { clearLedgerFaults, type D1Fate, type LedgerFaults, planLedgerFaults } from '../../fixtures/faulty-ledger.ts';
import {
  ask,
  cancelled,
  deposit,
  filled,
  filledUnderExemption,
  inStorage,
  ledgerNamed,
  order,
  restart,
  soldAtBroker,
  TestBook,
} from '../../fixtures/ledger-client.ts';
import { everything, openReadModel } from '../../fixtures/read-model.ts';

const SHARD = 'ledger:0';
const SETTINGS: LedgerFaults['settings'] = {
  alarmAfter_ms: 5,
  segmentRows: 3,
  checkpointRows: 4,
  projectRowsMax: 2,
  projectRest_ms: 1,
  sealRetry_ms_min: 2,
  emptyRowsMax: 7,
};

async function transact(transaction: DoorTransaction): Promise<void> {
  const outcome = await ask(SHARD, (ledger) => ledger.transact(transaction));
  expect(outcome).toMatchObject({ type: 'done' });
}

/** Takes the one trade of a chunk back. */
function bustOf({ trades: [trade] }: SettlementChunk): DoorTransaction {
  if (trade === undefined) throw new Error('the chunk has no trade');
  return {
    kind: 'adjust_trade',
    id: uuidv7(),
    book: 'SHARE-USD',
    baseAsset: 'share',
    quoteAsset: 'usd',
    tracksLots: false,
    trade,
    to: null,
    sellKey: null,
    reason: 'a test',
    createdAt: 1,
    event: null,
  };
}

/** A sale at the broker that settles on the day of its round; those of the first half have settled. */
async function atBroker(book: TestBook, sequence: number, round: number): Promise<void> {
  const sell = order('bob', 10, { side: 'sell', reserveAsset: 'share' });
  await book.send(book.compose([sell]));
  await book.send(book.compose([], [soldAtBroker(sell, sequence, round * DAY_MS)]));
  if (round === 5) await transact({ kind: 'settle', id: uuidv7(), through: round * DAY_MS, createdAt: 1, event: null });
}

/** An operator closes the break of a round: the first by booking its execution. */
function resolutionOf(round: number): DoorTransaction {
  const booking = {
    route: 'broker',
    baseAsset: 'share',
    quoteAsset: 'usd',
    tracksLots: false,
    account: 'alice',
    side: 'buy',
    executionId: 'x',
    price: 2,
    quantity: 1,
    notional: 2,
    executedAt: 1,
    settlesOn: DAY_MS,
  } as const;
  return {
    kind: 'resolve_break',
    id: uuidv7(),
    book: 'SHARE-USD',
    breakId: `event-${round}`,
    booking: round === 1 ? booking : null,
    reason: 'a test',
    by: 'operator',
    createdAt: 1,
    event: null,
  };
}

/** Another rate of what the book quotes in, as if that were no dollars. */
function rateOf(version: number): DoorTransaction {
  const terms = { expectedVersion: version - 1, numerator: 11 + version, denominator: 10, createdAt: 1, event: null };
  return { kind: 'rate', id: uuidv7(), asset: 'usd', ...terms };
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
  const issued = { ...lot, id: `${uuidv7()}.0`, quantity: 10, offeringType: null };
  const legs = [
    { account: 'boundary:issuance', change: -30, lots: [] },
    { account: 'boundary:register', change: 20, lots: [] },
    { account: 'bob', change: 10, lots: [issued] },
  ];
  await transact({ kind: 'register_entry', id: uuidv7(), asset: 'regd', legs, createdAt: 1, event: event('regd') });
  for (const change of [-9, 4])
    await transact({
      kind: 'distribution',
      id: uuidv7(),
      asset: 'usd',
      legs: [{ account: 'alice', change }],
      reference: 'Dividend',
      createdAt: 1,
    });
  const split = { kind: 'split', split: uuidv7(), asset: 'regd', createdAt: 1 } as const;
  const ratio = { from: 3, to: 2, fractions: 'cash_in_lieu' } as const;
  const register = { from: 20, to: 13 };
  await transact({ ...split, id: uuidv7(), step: { type: 'begin', ...ratio, register, books: [] } });
  await transact({ ...split, id: uuidv7(), step: { type: 'part', part: 1 } });
  const begun = [-1, 1].map((change) => ({
    account: change < 0 ? 'boundary:issuance' : 'boundary:register',
    change,
    lots: [],
  }));
  await transact({ kind: 'register_entry', id: uuidv7(), asset: 'survivor', legs: begun, createdAt: 1, event: null });
  const merger = { ...split, split: uuidv7() };
  const into = {
    asset: 'survivor',
    from: 2,
    to: 3,
    fractions: 'round_up',
    register: 20,
    restrictionEndsAt: 9,
  } as const;
  const step = { type: 'begin', ...ALL_END, register: { from: 13, to: 0 }, into, books: [] } as const;
  await transact({ ...merger, id: uuidv7(), step });
  await transact({ ...merger, id: uuidv7(), step: { type: 'part', part: 1 } });
  await transact({ kind: 'grant', id: uuidv7(), account: 'alice', asset: 'cap', amount: 9, createdAt: 1, expect: [] });
  for (let round = 1; round <= rounds; round++) {
    const buy = order('alice', 10, { clientOrderId: uuidv7() });
    const sell = order('bob', 10, { side: 'sell', reserveAsset: 'share' });
    const rest = order('alice', 5);
    await book.send(book.compose([buy, sell, rest, order('alice', 1)]));
    const fill = filled(buy, sell, round);
    const broken = {
      id: `event-${round}`,
      kind: 'bust',
      orderId: buy.id,
      executionId: 'x',
      detail: 'a test',
      at: 1,
    } as const;
    await book.send(book.compose([], [fill, { ...cancelled(rest), breaks: [broken] }]));
    if (round === 1) await transact(bustOf(fill));
    if (round < 5) await transact(resolutionOf(round));
    await atBroker(book, rounds + round, round);
    if (round % 4 === 0) await transact(rateOf(round / 4));
  }
  const crowd = await new TestBook(SHARD, 'ACME-USD', { tracksLots: true }).takeOver();
  const buy = order('alice', 5);
  const sell = order('bob', 5, { side: 'sell', reserveAsset: 'acme' });
  await crowd.send(crowd.compose([buy, sell]));
  const held = { lotId: lot.id, restrictionEndsAt: Date.now() + 1_000_000, offeringType: 'reg_cf' };
  await crowd.send(crowd.compose([], [filledUnderExemption(buy, sell, 1, held)]));
  const asked = {
    type: 'withdrawal',
    account: 'alice',
    asset: 'usd',
    amount: 3,
    reference: null,
    createdAt: 1,
  } as const;
  await transact({ kind: 'transfer_request', id: uuidv7(), ...asked });
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
  const family = { kind: 'family', relation: uuidv7(), account: 'alice', relative: 'carol', createdAt: 1 } as const;
  const recorded = { type: 'recorded', relationship: 'spouse', evidence: 'a register', by: 'operator' } as const;
  const first = { ...family, id: family.relation, expectedVersion: 3, expectedRelativeVersion: 1, change: recorded };
  await transact({ ...first, event: event('alice') });
  const ended = { type: 'ended', reason: 'a divorce', by: 'operator' } as const;
  const last = { ...family, id: uuidv7(), expectedVersion: 4, expectedRelativeVersion: 2, change: ended };
  await transact({ ...last, event: event('alice') });
  const rules = {
    quantityMin: 1,
    quantityMax: 9,
    makerFeeBps: 1,
    takerFeeBps: 2,
    bandBps: 0,
    bandHaltSeconds: 0,
    referencePrice: null,
  };
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

async function begin(id = uuidv7()): Promise<RebuildOutcome> {
  return ask(SHARD, (ledger) => ledger.rebuildReadModel(id));
}

/** Until the last rebuild has ended, however; the object is woken as its alarm would. */
async function ended(): Promise<RebuildProgress> {
  return vi.waitFor(async () => {
    await runDurableObjectAlarm(env.LEDGER.getByName(SHARD)).catch(() => undefined);
    const { rebuild } = await ask(SHARD, (ledger) => ledger.status());
    if (rebuild === null || !['done', 'failed'].includes(rebuild.phase)) throw new Error(JSON.stringify(rebuild));
    return rebuild;
  });
}

/** D1 as it was, once everything is there. */
async function expectAsBefore(): Promise<void> {
  expect(await ask(SHARD, (ledger) => ledger.projected())).toBe(true);
  expect(await everything()).toEqual(before);
}

beforeAll(async () => {
  await openReadModel(['alice', 'bob', 'carol']);
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
      'UPDATE rates SET numerator = 1',
      "UPDATE orders SET status = 'open'",
      'DELETE FROM lots',
      'UPDATE broker_breaks SET resolved_at = NULL',
      'DELETE FROM booked_executions',
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
    expect(await begin()).toMatchObject({ type: 'begun' });
    const { journaled } = await ledgerNamed(SHARD).status();
    expect(await ended()).toMatchObject({
      phase: 'done',
      to: journaled,
      verified: journaled,
      projected: journaled,
      reason: null,
    });
    await expectAsBefore();
  }
  expect(await ledgerNamed(SHARD).status()).toMatchObject({ halted: null, admits: true });
});

test('asked again under its id it is the same rebuild, under another id it is refused while it is under way', async () => {
  settingsAnd({ waits: (point) => (point === 'before_project' ? new Promise(() => undefined) : undefined) });
  await restart(SHARD);
  const id = uuidv7();
  const first = await begin(id);
  expect(first).toMatchObject({ type: 'begun', rebuild: { id, phase: 'verifying' } });
  await vi.waitFor(async () => expect((await ledgerNamed(SHARD).status()).rebuild?.phase).toBe('writing'));
  expect(await begin(id)).toMatchObject({ type: 'begun', rebuild: { id, phase: 'writing' } });
  expect(await begin()).toMatchObject({ type: 'under_way', rebuild: { id } });
  settingsAnd();
  await restart(SHARD);
  expect(await ended()).toMatchObject({ id, phase: 'done' });
  expect(await begin(id)).toMatchObject({ type: 'begun', rebuild: { id, phase: 'done' } });
  await expectAsBefore();
});

test('while D1 lacks what it showed nothing new is admitted, and effects are taken', async () => {
  const book = await new TestBook(SHARD, 'OTHER-USD').takeOver();
  const checked = { factsVersion: 5 };
  const open = order('alice', 3, checked);
  expect(await book.send(book.compose([open]))).toMatchObject({ type: 'landed', refused: [] });
  await ask(SHARD, (ledger) => ledger.projected());
  settingsAnd({ waits: (point) => (point === 'before_project' ? new Promise(() => undefined) : undefined) });
  await restart(SHARD);
  await begin();
  await vi.waitFor(async () => expect((await ledgerNamed(SHARD).status()).rebuild?.phase).toBe('writing'));
  expect(await ledgerNamed(SHARD).status()).toMatchObject({ admits: false, projected: 0 });
  expect(await book.send(book.compose([order('alice', 1, checked)], [cancelled(open)]))).toMatchObject({
    type: 'landed',
    refused: [{ refusal: 'backlog' }],
  });
  settingsAnd();
  await restart(SHARD);
  expect(await ended()).toMatchObject({ phase: 'done' });
  expect(await book.send(book.compose([order('alice', 1, checked)]))).toMatchObject({ type: 'landed', refused: [] });
  expect(await ask(SHARD, (ledger) => ledger.projected())).toBe(true);
  before = await everything();
});

test.each<LedgerPoint>(['before_empty', 'before_project', 'after_project'])(
  'killed %s again and again, it goes on',
  async (point) => {
    settingsAnd();
    await damage();
    let left = 4;
    settingsAnd({ kills: (at) => at === point && left-- > 0 });
    await begin();
    expect(await ended()).toMatchObject({ phase: 'done' });
    expect(left).toBeLessThan(1);
    await expectAsBefore();
  },
);

test.each<D1Fate>(['request_lost', 'answer_lost', 'doubled'])(
  'steps over a wire where each is %s once get done once',
  async (fate) => {
    let left = 6;
    settingsAnd({ d1: () => (left-- > 0 ? fate : 'through') });
    await begin();
    expect(await ended()).toMatchObject({ phase: 'done' });
    await expectAsBefore();
  },
);

test('a step of emptying that lands late deletes nothing of what was written since', async () => {
  settingsAnd();
  expect(await emptyStep(env.DB, SHARD, 7)).toEqual({ rowsDeleted: 0, isDone: true });
  await expectAsBefore();
});

test('nothing is projected while D1 is being emptied, and it is emptied in steps', async () => {
  settingsAnd();
  await restart(SHARD);
  await beginEmptying(env.DB, SHARD, Date.now());
  const part = new JournalPart(0);
  part.add({ seq: 1, time: 1, entries: [] }, 1);
  const projected = part.projected({ balance: () => NO_BALANCE, lot: () => null, unsettled: () => null });
  expect(await project(env.DB, SHARD, projected)).toEqual({ type: 'elsewhere', cursor: 0, isEmptying: true });
  const orders = (before.orders as unknown[]).length;
  let steps = 0;
  const count = (): undefined => {
    steps += 1;
  };
  settingsAnd({ waits: (at) => (at === 'before_empty' ? count() : undefined) });
  await begin();
  expect(await ended()).toMatchObject({ phase: 'done', emptied: expect.any(Number) });
  expect(steps).toBeGreaterThanOrEqual(orders / 7);
  await expectAsBefore();
});

test('an instance that starts while it is under way does not take D1 for complete', async () => {
  settingsAnd({ waits: (point) => (point === 'before_project' ? new Promise(() => undefined) : undefined) });
  await restart(SHARD);
  await begin();
  await vi.waitFor(async () => expect((await ledgerNamed(SHARD).status()).rebuild?.phase).toBe('writing'));
  settingsAnd();
  await restart(SHARD);
  await ended();
  await expectAsBefore();
});

test('with D1 away nothing is emptied', async () => {
  settingsAnd({ d1: () => 'away' });
  const answer = await ledgerNamed(SHARD)
    .rebuildReadModel(uuidv7())
    .then(() => 'answered', String);
  expect(answer).toMatch(/connection lost/);
  settingsAnd();
  await expectAsBefore();
});

test('D1 with rows of another shard is not emptied', async () => {
  await env.DB.prepare("INSERT INTO projections (shard, seq) VALUES ('ledger:1', 1)").run();
  expect(await begin()).toEqual({ type: 'shared', shard: 'ledger:1' });
  await env.DB.prepare("DELETE FROM projections WHERE shard = 'ledger:1'").run();
  await expectAsBefore();
});

test('where a segment is not what was sealed, the rebuild fails with the reason and nothing is emptied', async () => {
  settingsAnd();
  const [first] = (await env.LEDGER_JOURNAL.list({ prefix: `${SHARD}/` })).objects;
  const text = (await (await env.LEDGER_JOURNAL.get(first?.key ?? ''))?.text()) ?? '';
  await env.LEDGER_JOURNAL.put(first?.key ?? '', text.replace('alice', 'mallo'));
  await begin();
  expect(await ended()).toMatchObject({
    phase: 'failed',
    reason: expect.stringMatching(/segment 1 to 3: journal row \d does not continue the chain/),
  });
  expect((await ledgerNamed(SHARD).status()).halted).toBeNull();
  await expectAsBefore();
  await env.LEDGER_JOURNAL.delete(first?.key ?? '');
  await begin();
  expect(await ended()).toMatchObject({ phase: 'failed', reason: expect.stringMatching(/segment .* is missing/) });
  await expectAsBefore();
  await env.LEDGER_JOURNAL.put(first?.key ?? '', text);
});

test.each([
  [
    'does not continue the one before',
    "UPDATE segments SET previous_hash = 'another' WHERE first = (SELECT min(first) FROM segments WHERE first > 1)",
    /segment \d+ to \d+ does not continue row \d+/,
  ],
  ['is not kept', 'DELETE FROM segments', /rows after 0 are not kept/],
])(
  'where a segment %s by the index, the rebuild fails with the reason and nothing is emptied',
  async (_, harm, reason) => {
    settingsAnd({ r2: () => 'away' });
    await restart(SHARD);
    const kept = await inStorage(SHARD, ({ sql }) =>
      sql.exec<Record<string, SqlStorageValue>>('SELECT * FROM segments').toArray(),
    );
    expect(kept.length).toBeGreaterThan(1);
    await inStorage(SHARD, ({ sql }) => void sql.exec(harm));
    await begin();
    expect(await ended()).toMatchObject({ phase: 'failed', reason: expect.stringMatching(reason) });
    await expectAsBefore();
    await inStorage(SHARD, ({ sql }) => {
      sql.exec('DELETE FROM segments');
      for (const row of kept) {
        const [fields, values] = [Object.keys(row), Object.values(row)];
        sql.exec(`INSERT INTO segments (${fields}) VALUES (${fields.map(() => '?')})`, ...values);
      }
    });
  },
);
