import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { uuidv7 } from 'uuidv7';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../../data/database.ts';
import type { LedgerPoint } from '../../../../durable-objects/ledger/ledger.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { random } from '../../fixtures/fault-run.ts';
import {
  clearLedgerFaults,
  type D1Fate,
  heldUntil,
  landLateRequests,
  ledgerFaults,
  planLedgerFaults,
} from '../../fixtures/faulty-ledger.ts';
import {
  ask,
  cancelled,
  deposit,
  filled,
  ledgerNamed,
  order,
  restart,
  TestBook,
} from '../../fixtures/ledger-client.ts';
import { migrate } from '../../fixtures/migrate.ts';

let db: Database;
beforeAll(async () => {
  db = await migrate();
});
afterEach(clearLedgerFaults);

interface Expected {
  readonly shard: string;
  readonly symbol: string;
  readonly accounts: readonly string[];
  readonly trades: number;
  readonly quantity: number;
  readonly orders: number;
}

/** Buys, sells, fills and cancels of two accounts in one book. */
async function trade(shard: string, symbol: string, rounds: number): Promise<Expected> {
  const base = symbol.split('-')[0]?.toLowerCase() ?? '';
  const [alice, bob] = [uuidv7(), uuidv7()];
  const book = await new TestBook(shard, symbol).takeOver();
  await ask(shard, (ledger) => ledger.transact(deposit(alice, 1_000_000)));
  await ask(shard, (ledger) => ledger.transact(deposit(bob, 1_000_000, { asset: base })));
  for (let round = 1; round <= rounds; round++) {
    const buy = order(alice, 10);
    const sell = order(bob, 10, { side: 'sell', reserveAsset: base });
    const rest = order(alice, 5);
    await book.send(book.compose([buy, sell, rest]));
    await book.send(book.compose([], [filled(buy, sell, round), cancelled(rest)]));
    if (round % 5 === 0) await landLateRequests();
  }
  return { shard, symbol, accounts: [alice, bob], trades: rounds, quantity: 10 * rounds, orders: 3 * rounds };
}

async function expectProjected({ shard, symbol, accounts, trades, quantity, orders }: Expected): Promise<void> {
  expect(await ask(shard, (ledger) => ledger.projected())).toBe(true);
  for (const account of accounts) {
    const { results } = await env.DB.prepare(
      'SELECT asset, available, held, cost FROM balances WHERE account = ?1 ORDER BY asset',
    )
      .bind(account)
      .all();
    const balances = await ledgerNamed(shard).balances(account);
    expect(results).toEqual(balances.toSorted((a, b) => (a.asset < b.asset ? -1 : 1)));
  }
  const bar = await env.DB.prepare('SELECT volume, trades FROM bars WHERE book = ?1').bind(symbol).first();
  expect(bar, 'no row is counted twice, and none is missing').toEqual({ volume: quantity, trades });
  const counts = await env.DB.prepare(
    `SELECT (SELECT count(*) FROM trades WHERE book = ?1) AS trades, (SELECT count(*) FROM orders WHERE book = ?1) AS orders,
       (SELECT count(*) FROM orders WHERE book = ?1 AND open = 1) AS open`,
  )
    .bind(symbol)
    .first();
  expect(counts).toEqual({ trades, orders, open: 0 });
  const { journaled, projected, behindSince } = await ledgerNamed(shard).status();
  expect({ projected, behindSince }).toEqual({ projected: journaled, behindSince: null });
}

describe('each journal row gets to D1 exactly once', () => {
  it.each([1, 2, 3, 4, 5, 6])('with requests and answers lost, late and doubled, and kills: seed %s', async (seed) => {
    const draw = random(seed);
    const fates: D1Fate[] = ['request_lost', 'answer_lost', 'lands_late', 'doubled'];
    let left = 25;
    const unlucky = (chance: number): boolean => {
      if (left === 0 || draw() > chance) return false;
      left -= 1;
      return true;
    };
    planLedgerFaults({
      kills: () => unlucky(0.02),
      d1: () => (unlucky(0.5) ? (fates[Math.floor(draw() * fates.length)] ?? 'through') : 'through'),
      settings: { projectRest_ms: 2, projectRowsMax: 5, windowBytesMax: 6_000, checkpointRows: 15 },
    });
    await createPair(db, `P${seed}`, { asset: { tracksLots: false, category: 'crypto', rail: 'digital' } });
    const expected = await trade(`ledger:project-${seed}`, `P${seed}-USD`, 30);
    clearLedgerFaults();
    await landLateRequests();
    await expectProjected(expected);
    expect(await ledgerNamed(expected.shard).selfAudit()).toEqual([]);
  });

  it('when a request of a killed instance lands between the reading of the cursor and the next request', async () => {
    const shard = 'ledger:elsewhere';
    const account = uuidv7();
    planLedgerFaults({ d1: () => 'lands_late', settings: { projectRest_ms: 1 } });
    await ask(shard, (ledger) => ledger.transact(deposit(account, 1)));
    await expect.poll(() => ledgerFaults.late.length).toBeGreaterThan(0);
    await restart(shard);

    let isHeld = false;
    let isOver = false;
    planLedgerFaults({
      waits: (point) => {
        if (point !== 'before_project') return undefined;
        isHeld = true;
        return heldUntil(() => isOver);
      },
      settings: { projectRest_ms: 200 },
    });
    await ask(shard, (ledger) => ledger.transact(deposit(account, 1)));
    await expect.poll(() => isHeld).toBe(true);
    await landLateRequests();
    isOver = true;
    expect(await ask(shard, (ledger) => ledger.projected())).toBe(true);
    const transfers = env.DB.prepare('SELECT count(*) AS n FROM transfers WHERE account = ?1').bind(account);
    expect(await transfers.first('n')).toBe(2);
  });

  it.each<LedgerPoint>(['before_project', 'after_project'])('killed %s, an alarm makes it go on', async (point) => {
    const shard = `ledger:alarm-${point}`;
    const account = uuidv7();
    let left = 1;
    planLedgerFaults({
      kills: (at) => {
        if (at !== point || left === 0) return false;
        left -= 1;
        return true;
      },
      settings: { projectRest_ms: 1 },
    });
    await ask(shard, (ledger) => ledger.transact(deposit(account, 10)));
    await expect.poll(() => left).toBe(0);
    // An object that was killed asks for nothing; its alarm, which is as durable as the row, calls it back.
    await expect.poll(() => runDurableObjectAlarm(env.LEDGER.getByName(shard)).catch(() => false)).toBe(true);
    const available = (): Promise<unknown> =>
      env.DB.prepare('SELECT available FROM balances WHERE account = ?1').bind(account).first('available');
    await expect.poll(available).toBe(10);
  });
});

describe('rows rest before they go to D1', () => {
  it('for long, unless somebody is told of them by webhooks', async () => {
    planLedgerFaults({ settings: { projectRest_ms: 1_000_000, toldRest_ms: 1 } });
    const shard = 'ledger:told-rest';
    const account = uuidv7();
    await ask(shard, (ledger) => ledger.transact(deposit(account, 1_000)));
    const rests = await ask(shard, (ledger) => ledger.status());
    expect(rests.projected, 'a deposit is told to nobody').toBeLessThan(rests.journaled);
    const book = await new TestBook(shard, 'TOLD-USD', { emitsEvents: true }).takeOver();
    const [buy, sell] = [order(account, 1), order(uuidv7(), 1, { side: 'sell', reserveAsset: 'told' })];
    await ask(shard, (ledger) => ledger.transact(deposit(sell.account, 1, { asset: 'told' })));
    await book.send(book.compose([buy, sell]));
    await book.send(book.compose([], [filled(buy, sell, 1)]));
    const status = async () => {
      const { journaled, projected } = await ledgerNamed(shard).status();
      return { left: journaled - projected };
    };
    await expect.poll(status, { message: 'the trade ends the rest that had begun' }).toEqual({ left: 0 });
  });
});

/** The first row of a ledger is its own: it goes by the rules of its code. So long is that. */
const OWN_ROW_BYTES = 800;

describe('while D1 is away', () => {
  it('the ledger goes on, says since when D1 is behind, and admits nothing new beyond the bound, but takes what ends orders', async () => {
    const shard = 'ledger:backlog';
    const account = uuidv7();
    planLedgerFaults({ d1: () => 'away', settings: { backlogRowsMax: 7, windowBytesMax: 500 } });
    const before = Date.now();
    await ask(shard, (ledger) => ledger.transact(deposit(account, 1_000)));
    await createPair(db, 'BACK', { asset: { tracksLots: false, category: 'crypto', rail: 'digital' } });
    const book = await new TestBook(shard, 'BACK-USD').takeOver();
    const admitted = [order(account, 10), order(account, 10), order(account, 10), order(account, 10)];
    for (const each of admitted)
      expect(await book.send(book.compose([each]))).toMatchObject({ type: 'landed', refused: [] });
    expect(await book.send(book.compose([order(account, 10)]))).toMatchObject({ refused: [{ refusal: 'backlog' }] });
    expect(
      await book.send(
        book.compose(
          [],
          admitted.map((each) => cancelled(each)),
        ),
      ),
    ).toMatchObject({ type: 'landed' });
    expect(await ledgerNamed(shard).balances(account)).toMatchObject([{ available: 1_000, held: 0 }]);
    const behind = await ledgerNamed(shard).status();
    expect(behind).toMatchObject({ projected: 0, halted: null });
    expect(behind.behindSince).toBeGreaterThanOrEqual(before);
    await runInDurableObject(env.LEDGER.getByName(shard), (_, state) => state.abort('killed by a test')).catch(
      () => undefined,
    );
    expect(await book.send(book.compose([order(account, 10)])), 'after a restart, too').toMatchObject({
      refused: [{ refusal: 'backlog' }],
    });

    planLedgerFaults({ settings: { backlogRowsMax: 7, windowBytesMax: 500 } });
    expect(await ask(shard, (ledger) => ledger.projected())).toBe(true);
    expect(await book.send(book.compose([order(account, 10)]))).toMatchObject({ type: 'landed', refused: [] });
    expect(await ledgerNamed(shard).selfAudit()).toEqual([]);
  });

  it('the ledger admits nothing new beyond the bound in bytes either, however few rows they are', async () => {
    const shard = 'ledger:bytes';
    const account = uuidv7();
    planLedgerFaults({ d1: () => 'away', settings: { backlogBytesMax: 1_500 + OWN_ROW_BYTES } });
    await ask(shard, (ledger) => ledger.transact(deposit(account, 1_000)));
    const book = await new TestBook(shard, 'BYTES-USD').takeOver();
    const orders = Array.from({ length: 20 }, () => order(account, 10));
    expect(await book.send(book.compose(orders))).toMatchObject({ type: 'landed', refused: [] });
    expect(await book.send(book.compose([order(account, 10)]))).toMatchObject({ refused: [{ refusal: 'backlog' }] });
  });
});
