import { reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { uuidv7 } from 'uuidv7';
import { beforeEach, describe, expect, test } from 'vitest';
import { runAudit } from '../../../../../data/audit/run-audit.ts';
import { createAsset } from '../../../../../data/catalog/assets.ts';
import type { Database } from '../../../../../data/database.ts';
import { readPlace } from '../../../../../data/ledger/projection/project.ts';
import { bridgeMovementId } from '../../../../../domain/ledger/bridge-movement-id.ts';
import { ALL_END } from '../../../../../domain/ledger/split-units.ts';
import { JournaledLedger, operatorEvent } from '../../../fixtures/journaled-ledger.ts';
import { everything, one, openReadModel, projectAll, projectRows, query, SHARD } from '../../../fixtures/read-model.ts';
import { TradedBook } from '../../../fixtures/traded-book.ts';

let db: Database;
let journal: JournaledLedger;

beforeEach(async () => {
  await reset();
  db = await openReadModel();
  journal = new JournaledLedger();
});

async function expectRight(): Promise<void> {
  expect((await runAudit(db)).filter(({ holds }) => !holds)).toEqual([]);
}

const FACTS = {
  kycStatus: 'rejected',
  accreditationStatus: 'completed',
  accreditationType: '506c',
  usPerson: false,
  annualIncome: 5,
  netWorth: 6,
  frozen: true,
} as const;

test('a part that has landed does not count as there while D1 is being emptied', async () => {
  journal.deposit('alice', 'usd', 10_000);
  expect(await projectRows(journal, 1)).toEqual({ type: 'done' });
  expect(await projectRows(journal, 1)).toEqual({ type: 'done' });
  await env.DB.prepare('UPDATE projections SET emptying = 1').run();
  expect(await projectRows(journal, 1)).toEqual({ type: 'elsewhere', cursor: 1, isEmptying: true });
});

describe('a batch of a book', () => {
  test('brings admitted orders with their holds, refused ones as rejected with their code', async () => {
    journal.deposit('alice', 'usd', 10_000);
    journal.grant('alice', 'cap', 100);
    journal.grant('alice', 'room', 5);
    const book = new TradedBook(journal);
    const limits = { allowanceAsset: 'cap', positionAsset: 'room' } as const;
    const orders = {
      held: book.order('alice', 'buy', 2, 50, { ...limits, allowance: 100, position: 2, clientOrderId: 'mine' }),
      poor: book.order('alice', 'buy', 1_000, 50),
      beyondAllowance: book.order('alice', 'buy', 1, 50, { ...limits, allowance: 50 }),
      beyondPosition: book.order('alice', 'buy', 1, 50, { ...limits, position: 9 }),
      stale: book.order('alice', 'buy', 1, 50, { factsVersion: 7 }),
      twin: book.order('alice', 'buy', 1, 50, { clientOrderId: 'mine' }),
      wouldTake: book.order('alice', 'buy', 1, 50, { status: 'rejected', reserve: 0, code: 'POST_ONLY_WOULD_TAKE' }),
    };
    book.send(Object.values(orders));
    await projectAll(journal);
    expect(
      await query(
        'SELECT id, open, status, reserve, allowance, position, code, client_order_id, book, asset_id, updated_at FROM orders',
      ),
    ).toEqual(
      [
        [orders.held, 1, 'open', 102, 100, 2, null],
        [orders.poor, 0, 'rejected', 0, 0, 0, 'INSUFFICIENT_BALANCE'],
        [orders.beyondAllowance, 0, 'rejected', 0, 0, 0, 'INVESTMENT_LIMIT_EXCEEDED'],
        [orders.beyondPosition, 0, 'rejected', 0, 0, 0, 'RISK_LIMIT_EXCEEDED'],
        [orders.wouldTake, 0, 'rejected', 0, 0, 0, 'POST_ONLY_WOULD_TAKE'],
      ].map(([order, open, status, reserve, allowance, position, code]) => ({
        id: (order as typeof orders.held).id,
        open,
        status,
        reserve,
        allowance,
        position,
        code,
        client_order_id: (order as typeof orders.held).clientOrderId,
        book: 'ACME-USD',
        asset_id: 'acme',
        updated_at: (order as typeof orders.held).createdAt,
      })),
    );
    expect(await one(`SELECT available, held FROM balances WHERE account = 'alice' AND asset = 'usd'`)).toEqual({
      available: 9_898,
      held: 102,
    });
    await expectRight();
  });

  test('says why the venue and the account refused', async () => {
    journal.deposit('alice', 'usd', 10_000);
    const book = new TradedBook(journal);
    const venue = (halted: boolean) =>
      journal.commit({ kind: 'venue', id: `${halted}`, halted, createdAt: journal.time, event: null });
    venue(true);
    const halted = book.order('alice', 'buy', 1, 50);
    book.send([halted]);
    venue(false);
    const { time: createdAt } = journal;
    journal.commit({ kind: 'revoke_keys', id: 'r', account: 'alice', keyIds: ['k'], createdAt });
    const revoked = book.order('alice', 'buy', 1, 50, { keyId: 'k' });
    book.send([revoked]);
    journal.commit({
      kind: 'facts',
      id: 'f',
      account: 'alice',
      expectedVersion: 2,
      facts: FACTS,
      cancelsOrders: false,
      createdAt,
      event: null,
    });
    const frozen = book.order('alice', 'buy', 1, 50, { factsVersion: 3 });
    book.send([frozen]);
    await projectAll(journal);
    expect(await query('SELECT id, code FROM orders')).toEqual([
      { id: halted.id, code: 'ASSET_NOT_TRADEABLE' },
      { id: revoked.id, code: 'FORBIDDEN' },
      { id: frozen.id, code: 'FORBIDDEN' },
    ]);
  });

  test('settles a fill whole: trade, orders, balances with their cost, lots, limits, bars, event', async () => {
    journal.deposit('alice', 'usd', 10_000);
    journal.grant('alice', 'cap', 1_000);
    journal.grant('alice', 'room', 10);
    journal.depositLots('bob', 'acme', [3, 10]);
    const book = new TradedBook(journal);
    const buy = book.order('alice', 'buy', 5, 100, {
      allowanceAsset: 'cap',
      allowance: 500,
      positionAsset: 'room',
      position: 5,
    });
    const sell = book.order('bob', 'sell', 6, 99, { positionAsset: 'room' });
    book.send([buy, sell]);
    await projectAll(journal);
    const fill = book.fill(buy.id, sell.id, 4, 99, 2);
    book.send([], [fill]);
    await projectAll(journal);
    const [trade] = fill.trades;

    expect(await one('SELECT * FROM trades')).toEqual({
      id: trade?.id,
      book: 'ACME-USD',
      sequence: 1,
      asset_id: 'acme',
      quote_asset: 'usd',
      price: 99,
      quantity: 4,
      notional: 396,
      taker_side: 'buy',
      buy_order: buy.id,
      sell_order: sell.id,
      buyer: 'alice',
      seller: 'bob',
      buyer_fee: 2,
      seller_fee: 2,
      seller_cost: 150 + 50,
      executed_at: trade?.executedAt,
      buy_filled: null,
      buy_remaining: null,
      sell_filled: null,
      sell_remaining: null,
      rate_version: null,
      allowance: null,
      settles_on: null,
    });
    expect(await query('SELECT * FROM realized_profits')).toEqual([
      { account: 'bob', asset: 'acme', quote_asset: 'usd', profit: 396 - 2 - 200 },
    ]);
    expect(
      await query('SELECT id, open, status, filled, filled_notional, fee, reserve, allowance, position FROM orders'),
    ).toEqual([
      {
        id: buy.id,
        open: 1,
        status: 'partially_filled',
        filled: 4,
        filled_notional: 396,
        fee: 2,
        reserve: 101,
        allowance: 100,
        position: 1,
      },
      {
        id: sell.id,
        open: 1,
        status: 'partially_filled',
        filled: 4,
        filled_notional: 396,
        fee: 2,
        reserve: 2,
        allowance: 0,
        position: 0,
      },
    ]);
    expect(
      await query(
        `SELECT account, asset, available, held, cost FROM balances WHERE boundary = 0 ORDER BY account, asset`,
      ),
    ).toEqual([
      { account: 'alice', asset: 'acme', available: 4, held: 0, cost: 398 },
      { account: 'alice', asset: 'cap', available: 504, held: 100, cost: 0 },
      { account: 'alice', asset: 'room', available: 5, held: 1, cost: 0 },
      { account: 'alice', asset: 'usd', available: 9_501, held: 101, cost: 0 },
      { account: 'bob', asset: 'acme', available: 7, held: 2, cost: 450 },
      { account: 'bob', asset: 'room', available: 4, held: 0, cost: 0 },
      { account: 'bob', asset: 'usd', available: 394, held: 0, cost: 0 },
    ]);
    expect(await query('SELECT account, quantity, reserved, cost FROM lots ORDER BY account')).toEqual([
      { account: 'alice', quantity: 4, reserved: 0, cost: 398 },
      { account: 'bob', quantity: 9, reserved: 2, cost: 450 },
    ]);
    expect(
      await query(
        `SELECT interval, open, high, low, close, volume, quote_volume, trades FROM bars WHERE interval = '1d'`,
      ),
    ).toEqual([{ interval: '1d', open: 99, high: 99, low: 99, close: 99, volume: 4, quote_volume: 396, trades: 1 }]);
    expect(await one('SELECT status, settles_at FROM settlements')).toEqual({
      status: 'SETTLED',
      settles_at: trade?.executedAt,
    });
    const event = await one('SELECT * FROM domain_events');
    expect(event).toMatchObject({ id: trade?.id, type: 'trade.executed', subject: 'acme', dispatched_at: null });
    expect(JSON.parse(event?.payload as string)).toMatchObject({ trade_id: trade?.id, price: 99, buyer_fee: 2 });
    await expectRight();
  });

  test('shows the legs of a fill as postings: cash, shares, fees, and what it draws on limits', async () => {
    journal.deposit('alice', 'usd', 10_000);
    journal.grant('alice', 'cap', 1_000);
    journal.grant('alice', 'room', 10);
    journal.depositLots('bob', 'acme', [10]);
    const book = new TradedBook(journal);
    const buy = book.order('alice', 'buy', 4, 100, {
      allowanceAsset: 'cap',
      allowance: 400,
      positionAsset: 'room',
      position: 4,
    });
    const sell = book.order('bob', 'sell', 4, 100, { positionAsset: 'room' });
    book.send([buy, sell]);
    const fill = book.fill(buy.id, sell.id, 4, 100, 1);
    book.send([], [fill]);
    await projectAll(journal);
    expect(
      await query(
        `SELECT account, asset, amount FROM postings WHERE "transaction" = '${fill.trades[0]?.id}' ORDER BY line`,
      ),
    ).toEqual([
      { account: 'alice', asset: 'usd', amount: -401 },
      { account: 'bob', asset: 'usd', amount: 399 },
      { account: 'bob', asset: 'acme', amount: -4 },
      { account: 'alice', asset: 'acme', amount: 4 },
      { account: 'boundary:fees', asset: 'usd', amount: 2 },
      { account: 'alice', asset: 'cap', amount: -400 },
      { account: 'boundary:limits', asset: 'cap', amount: 400 },
      { account: 'alice', asset: 'room', amount: -4 },
      { account: 'boundary:limits', asset: 'room', amount: 4 },
      { account: 'bob', asset: 'room', amount: 4 },
      { account: 'boundary:limits', asset: 'room', amount: -4 },
    ]);
  });

  test('sends no event of a fill where its book says so', async () => {
    journal.deposit('alice', 'usd', 10_000);
    journal.depositLots('bob', 'acme', [10]);
    const book = new TradedBook(journal, 'ACME-USD', { emitsEvents: false });
    const [buy, sell] = [book.order('alice', 'buy', 4, 100), book.order('bob', 'sell', 4, 100)];
    book.send([buy, sell]);
    book.send([], [book.fill(buy.id, sell.id, 4, 100)]);
    await projectAll(journal);
    expect(await query('SELECT id FROM trades')).toHaveLength(1);
    expect(await query('SELECT id FROM domain_events')).toEqual([]);
  });

  test.each([
    ['at once', 100],
    ['row by row', 1],
  ])('frees the client order id of an order that was never matched (%s)', async (_, piece) => {
    journal.deposit('alice', 'usd', 10_000);
    const book = new TradedBook(journal);
    const lost = book.order('alice', 'buy', 1, 100, { clientOrderId: 'mine' });
    book.send([lost]);
    const again = book.order('alice', 'buy', 1, 100, { clientOrderId: 'mine' });
    book.send([again], [book.end(lost.id, 'rejected', 'UNAVAILABLE')]);
    await projectAll(journal, piece);
    expect(await query('SELECT id, open, status, code, client_order_id FROM orders')).toEqual([
      { id: lost.id, open: 0, status: 'rejected', code: 'UNAVAILABLE', client_order_id: null },
      { id: again.id, open: 1, status: 'open', code: null, client_order_id: 'mine' },
    ]);
    await expectRight();
  });

  test('shows what an amendment holds in the balance, and in its order once its book has settled', async () => {
    journal.deposit('alice', 'usd', 10_000);
    const book = new TradedBook(journal);
    const order = book.order('alice', 'buy', 10, 100);
    book.send([order]);
    const { account, reserveAsset, factsVersion, rulesVersion, createdAt } = order;
    const amendment = {
      id: 'more',
      orderId: order.id,
      account,
      reserveAsset,
      reserve: 202,
      allowanceAsset: null,
      allowance: 0,
      positionAsset: null,
      position: 0,
      factsVersion,
      rulesVersion,
      createdAt,
      exposure: { notional: 0, quantity: 0, proceeds: 0 },
      limitedKey: null,
    };
    book.send([], [], [amendment, { ...amendment, id: 'too much', reserve: 100_000 }]);
    await projectAll(journal);
    const held = () => one(`SELECT held FROM balances WHERE account = 'alice'`);
    expect(await held()).toEqual({ held: 1_212 });
    expect(await query('SELECT quantity, reserve FROM orders')).toEqual([{ quantity: 10, reserve: 1_010 }]);
    book.send([], [book.amend(order.id, 'more', 12)]);
    await projectAll(journal);
    expect(await held()).toEqual({ held: 1_212 });
    expect(await query('SELECT quantity, reserve FROM orders')).toEqual([{ quantity: 12, reserve: 1_212 }]);
    await expectRight();
  });

  test('adds the trades of one interval up in its bar, however they come', async () => {
    journal.deposit('alice', 'usd', 100_000);
    journal.depositLots('bob', 'acme', [100]);
    const book = new TradedBook(journal);
    const [buy, sell] = [book.order('alice', 'buy', 50, 110), book.order('bob', 'sell', 50, 90)];
    book.send([buy, sell]);
    book.send([], [book.fill(buy.id, sell.id, 1, 100), book.fill(buy.id, sell.id, 1, 110)]);
    book.send([], [book.fill(buy.id, sell.id, 1, 90)]);
    await projectAll(journal);
    book.send([], [book.fill(buy.id, sell.id, 1, 95)]);
    await projectAll(journal);
    expect(await one(`SELECT open, high, low, close, volume, trades FROM bars WHERE interval = '1d'`)).toEqual({
      open: 100,
      high: 110,
      low: 90,
      close: 95,
      volume: 4,
      trades: 4,
    });
    await expectRight();
  });

  test('takes more rows than one text holds', async () => {
    journal.deposit('alice', 'usd', 1_000_000_000);
    const book = new TradedBook(journal);
    const orders = Array.from({ length: 6_000 }, (_, index) =>
      book.order('alice', 'buy', 1, 100 + (index % 7), { clientOrderId: `${index}`.padEnd(200, '.') }),
    );
    book.send(orders);
    await projectAll(journal);
    expect(await one('SELECT count(*) AS n, count(DISTINCT client_order_id) AS ids FROM orders')).toEqual({
      n: 6_000,
      ids: 6_000,
    });
    await expectRight();
  });
});

describe('a transfer', () => {
  test('brings its row, its ledger transaction, both balances and its event with the balance before and after', async () => {
    journal.deposit('alice', 'usd', 700);
    const event = operatorEvent('operator.withdrawal', 'alice', journal.time);
    const withdrawal = journal.transfer('withdrawal', 'alice', 'usd', 200, { reference: 'wire', event });
    journal.commit(withdrawal);
    await projectAll(journal);
    expect(await one(`SELECT * FROM transfers WHERE id = '${withdrawal.id}'`)).toEqual({
      id: withdrawal.id,
      account: 'alice',
      type: 'withdrawal',
      asset: 'usd',
      amount: 200,
      status: 'completed',
      reference: 'wire',
      created_at: journal.time,
    });
    expect(
      await query(`SELECT line, account, asset, amount FROM postings WHERE "transaction" = '${withdrawal.id}'`),
    ).toEqual([
      { line: 1, account: 'alice', asset: 'usd', amount: -200 },
      { line: 2, account: 'boundary:withdrawals', asset: 'usd', amount: 200 },
    ]);
    expect(await query('SELECT account, available, boundary FROM balances ORDER BY account')).toEqual([
      { account: 'alice', available: 500, boundary: 0 },
      { account: 'boundary:deposits', available: -700, boundary: 1 },
      { account: 'boundary:withdrawals', available: 200, boundary: 1 },
    ]);
    const row = await one(`SELECT * FROM domain_events WHERE id = '${event.id}'`);
    expect(row).toMatchObject({ type: 'operator.withdrawal', subject: 'alice', created_at: event.createdAt });
    expect(JSON.parse(row?.payload as string)).toEqual({
      actor: 'op',
      request_id: 'r',
      details: {},
      before: { available: 700, held: 0 },
      after: { available: 500, held: 0 },
    });
    await expectRight();
  });

  test('moves lots: what is gone has no row', async () => {
    const deposit = journal.depositLots('bob', 'acme', [3, 4]);
    await projectAll(journal);
    expect(await query('SELECT id, quantity FROM lots ORDER BY id')).toEqual([
      { id: `${deposit.id}.0`, quantity: 3 },
      { id: `${deposit.id}.1`, quantity: 4 },
    ]);
    journal.commit(journal.transfer('withdrawal', 'bob', 'acme', 5, { tracksLots: true }));
    await projectAll(journal);
    expect(await query('SELECT id, quantity, cost FROM lots')).toEqual([
      { id: `${deposit.id}.1`, quantity: 2, cost: 100 },
    ]);
    expect(await one(`SELECT cost FROM balances WHERE account = 'bob'`)).toEqual({ cost: 100 });
    await expectRight();
  });
});

test('an entry of a register posts each leg against issuance, and shows what is outstanding', async () => {
  const id = uuidv7();
  const lot = { id: `${id}.1`, account: 'bob', quantity: 3, cost: 9, acquiredAt: 5 };
  const lots = [{ ...lot, restrictionEndsAt: 7, offeringType: '506c' }];
  const legs = [
    { account: 'boundary:issuance', change: -10, lots: [] },
    { account: 'boundary:register', change: 7, lots: [] },
    { account: 'bob', change: 3, lots },
  ];
  const event = operatorEvent('register.issuance', 'acme', journal.time);
  const base = { kind: 'register_entry', asset: 'acme', createdAt: 1 } as const;
  journal.commit({ ...base, id, legs, event });
  await projectAll(journal);
  expect(await query(`SELECT id, quantity, cost, restriction_ends_at FROM lots`)).toEqual([
    { id: lot.id, quantity: 3, cost: 9, restriction_ends_at: 7 },
  ]);
  const moved = [
    { account: 'bob', change: -3, lots: [] },
    { account: 'boundary:register', change: 3, lots: [] },
  ];
  journal.commit({ ...base, id: uuidv7(), legs: moved, event: null });
  await projectAll(journal);
  expect(await query('SELECT account, available, boundary FROM balances ORDER BY account')).toEqual([
    { account: 'bob', available: 0, boundary: 0 },
    { account: 'boundary:issuance', available: -10, boundary: 1 },
    { account: 'boundary:register', available: 10, boundary: 1 },
  ]);
  expect(await query('SELECT kind, account, amount, boundary FROM ledger_transactions ORDER BY id')).toEqual(
    [
      ['boundary:register', 7],
      ['bob', 3],
      ['bob', -3],
      ['boundary:register', 3],
    ].map(([account, amount]) => ({ kind: 'register_entry', account, amount, boundary: 'boundary:issuance' })),
  );
  expect(await query('SELECT id FROM lots')).toEqual([]);
  expect(await one(`SELECT type FROM domain_events WHERE id = '${event.id}'`)).toEqual({ type: 'register.issuance' });
  await expectRight();
});

test('a distribution posts each leg that was done against its pool, and shows it as a deposit or withdrawal', async () => {
  const id = uuidv7();
  journal.deposit('alice', 'usd', 100);
  const base = { kind: 'distribution', asset: 'usd', reference: 'Dividend', createdAt: 1 } as const;
  journal.commit({ ...base, id: uuidv7(), legs: [{ account: 'alice', change: -60 }] });
  const legs = [
    { account: 'carol', change: 70 },
    { account: 'bob', change: 25 },
  ];
  journal.commit({ ...base, id, legs });
  await projectAll(journal);
  expect(await query("SELECT account, available, boundary FROM balances WHERE account <> 'boundary:deposits'")).toEqual(
    expect.arrayContaining([
      { account: 'alice', available: 40, boundary: 0 },
      { account: 'bob', available: 25, boundary: 0 },
      { account: 'boundary:distributions', available: 35, boundary: 1 },
    ]),
  );
  expect(await one(`SELECT id, account, amount, boundary FROM ledger_transactions WHERE id LIKE '${id}%'`)).toEqual({
    id: `${id}.1`,
    account: 'bob',
    amount: 25,
    boundary: 'boundary:distributions',
  });
  expect(await query(`SELECT account, type, amount, reference FROM transfers WHERE reference IS NOT NULL`)).toEqual([
    { account: 'alice', type: 'withdrawal', amount: 60, reference: 'Dividend' },
    { account: 'bob', type: 'deposit', amount: 25, reference: 'Dividend' },
  ]);
  // No corporate action stands behind it, which the checks of those say.
  const wrong = (await runAudit(db)).filter(({ invariant, holds }) => invariant !== 'register' && !holds);
  expect(wrong).toEqual([]);
});

test('what moves is of the time of its row in the journal, however long before that it was due', async () => {
  journal.deposit('alice', 'usd', 100, { createdAt: 1 });
  const base = { asset: 'usd', createdAt: 1 } as const;
  const legs = [{ account: 'alice', change: -60 }];
  journal.commit({ ...base, kind: 'distribution', id: uuidv7(), legs, reference: 'Dividend' });
  const vault = { organization: 'org-test', chain: 'fork' } as const;
  const transfer = uuidv7();
  const minted = { ...base, kind: 'bridge', type: 'mint', transfer, account: 'alice', amount: 5, vault } as const;
  journal.commit({ ...minted, id: bridgeMovementId(transfer, 'payout') });
  await projectAll(journal);
  const times = journal.rows.map(({ time }) => ({ created_at: time }));
  expect(times).toHaveLength(3);
  for (const table of ['ledger_transactions', 'transfers'])
    expect(await query(`SELECT created_at FROM ${table} ORDER BY created_at`)).toEqual(times);
});

test('a split brings balances and lots to what they come to, each change against boundary:issuance', async () => {
  const id = uuidv7();
  const lot = { account: 'bob', cost: 9, restrictionEndsAt: 7, offeringType: '506c' };
  const lots = [1, 3].map((quantity, at) => ({ ...lot, id: `${id}.${at}`, quantity, acquiredAt: 5 + at }));
  const legs = [
    { account: 'boundary:issuance', change: -11, lots: [] },
    { account: 'boundary:register', change: 7, lots: [] },
    { account: 'bob', change: 4, lots },
  ];
  journal.commit({ kind: 'register_entry', id, asset: 'acme', legs, createdAt: 1, event: null });
  await projectAll(journal);
  const base = { kind: 'split', split: uuidv7(), asset: 'acme', createdAt: 2 } as const;
  const ratio = { from: 3, to: 1, fractions: 'cash_in_lieu', register: { from: 7, to: 2 } } as const;
  journal.commit({ ...base, id: uuidv7(), step: { type: 'begin', ...ratio, books: [] } });
  journal.commit({ ...base, id: uuidv7(), step: { type: 'part', part: 1 } });
  await projectAll(journal);
  expect(await query(`SELECT id, quantity, cost, restriction_ends_at, acquired_at FROM lots`)).toEqual([
    { id: `${id}.1`, quantity: 1, cost: 18, restriction_ends_at: 7, acquired_at: 6 },
  ]);
  expect(await query('SELECT account, available FROM balances ORDER BY account')).toEqual([
    { account: 'bob', available: 1 },
    { account: 'boundary:issuance', available: -3 },
    { account: 'boundary:register', available: 2 },
  ]);
  expect(
    await query(
      `SELECT account, amount, boundary, created_at FROM ledger_transactions WHERE kind = 'split' ORDER BY id`,
    ),
  ).toEqual([
    { account: 'bob', amount: -3, boundary: 'boundary:issuance', created_at: journal.time },
    { account: 'boundary:register', amount: -5, boundary: 'boundary:issuance', created_at: journal.time },
  ]);
  await expectRight();
});

test('a conversion gives lots and balances another asset, each change of both against boundary:issuance', async () => {
  const ids = [uuidv7(), uuidv7()] as const;
  const named = { id: 'regd', symbol: 'REGD', name: 'Regd' };
  await createAsset(db, { ...named, category: 'privates', tracksLots: true, scale: 0, createdAt: 1 });
  const lot = { account: 'bob', cost: 9, acquiredAt: 5, restrictionEndsAt: 7, offeringType: '506c' };
  const entry = (id: string, asset: string, quantity: number) => {
    const legs = [
      { account: 'boundary:issuance', change: -quantity - 7, lots: [] },
      { account: 'boundary:register', change: 7, lots: [] },
      { account: 'bob', change: quantity, lots: [{ ...lot, id: `${id}.0`, quantity }] },
    ];
    journal.commit({ kind: 'register_entry', id, asset, legs, createdAt: 1, event: null });
  };
  entry(ids[0], 'acme', 4);
  entry(ids[1], 'regd', 1);
  await projectAll(journal);
  const base = { kind: 'split', split: uuidv7(), asset: 'acme', createdAt: 2 } as const;
  const into = { asset: 'regd', from: 2, to: 3, fractions: 'round_up', register: 11, restrictionEndsAt: 8 } as const;
  journal.commit({
    ...base,
    id: uuidv7(),
    step: { type: 'begin', ...ALL_END, register: { from: 7, to: 0 }, into, books: [] },
  });
  journal.commit({ ...base, id: uuidv7(), step: { type: 'part', part: 1 } });
  await projectAll(journal);
  expect(await query('SELECT id, asset, quantity, cost, restriction_ends_at FROM lots ORDER BY id')).toEqual([
    { id: `${ids[0]}.0`, asset: 'regd', quantity: 6, cost: 9, restriction_ends_at: 8 },
    { id: `${ids[1]}.0`, asset: 'regd', quantity: 1, cost: 9, restriction_ends_at: 7 },
  ]);
  expect(
    await query('SELECT account, asset, available, cost FROM balances WHERE available <> 0 ORDER BY account'),
  ).toEqual([
    { account: 'bob', asset: 'regd', available: 7, cost: 18 },
    { account: 'boundary:issuance', asset: 'regd', available: -25, cost: 0 },
    { account: 'boundary:register', asset: 'regd', available: 18, cost: 0 },
  ]);
  expect(
    await query(`SELECT account, asset, amount FROM ledger_transactions WHERE kind = 'split' ORDER BY id`),
  ).toEqual([
    { account: 'bob', asset: 'acme', amount: -4 },
    { account: 'boundary:register', asset: 'acme', amount: -7 },
    { account: 'bob', asset: 'regd', amount: 6 },
    { account: 'boundary:register', asset: 'regd', amount: 11 },
  ]);
  await expectRight();
});

test('a grant moves its allowance against boundary:limits', async () => {
  journal.grant('alice', 'cap', 90);
  journal.grant('alice', 'cap', -30);
  await projectAll(journal);
  expect(await query('SELECT account, asset, available FROM balances ORDER BY account')).toEqual([
    { account: 'alice', asset: 'cap', available: 60 },
    { account: 'boundary:limits', asset: 'cap', available: -60 },
  ]);
  expect(await query('SELECT kind, account, amount, boundary FROM ledger_transactions')).toEqual([
    { kind: 'grant', account: 'alice', amount: 90, boundary: 'boundary:limits' },
    { kind: 'grant', account: 'alice', amount: -30, boundary: 'boundary:limits' },
  ]);
  await expectRight();
});

test('a change of facts brings them with their version; without facts the version alone', async () => {
  const change = {
    kind: 'facts',
    account: 'alice',
    facts: FACTS,
    cancelsOrders: false,
    createdAt: 1,
    event: operatorEvent('operator.account_facts', 'alice', 1),
  } as const;
  journal.commit({ ...change, id: 'a', expectedVersion: 1 });
  journal.commit({ ...change, id: 'b', expectedVersion: 2, facts: null, event: null });
  await projectAll(journal);
  expect(
    await query(`SELECT kyc_status, accreditation_status, accreditation_type, us_person, annual_income, net_worth, frozen, facts_version
                 FROM accounts WHERE id = 'alice'`),
  ).toEqual([
    {
      kyc_status: 'rejected',
      accreditation_status: 'completed',
      accreditation_type: '506c',
      us_person: 0,
      annual_income: 5,
      net_worth: 6,
      frozen: 1,
      facts_version: 3,
    },
  ]);
  expect(await query('SELECT type, subject FROM domain_events')).toEqual([
    { type: 'operator.account_facts', subject: 'alice' },
  ]);
});

test.each([
  ['at once', 1],
  ['in two pieces', 2],
])('family is recorded, ends and stays, with the versions of both accounts: %s', async (_, pieces) => {
  const base = { kind: 'family', account: 'alice', relative: 'bob' } as const;
  const event = (id: string) => operatorEvent('operator.family_recorded', 'alice', id === 'made' ? 1 : 2);
  const recorded = { type: 'recorded', relationship: 'spouse', evidence: 'a register', by: 'olga' } as const;
  const versions = { expectedVersion: 1, expectedRelativeVersion: 1 };
  journal.commit({
    ...base,
    ...versions,
    id: 'made',
    relation: 'made',
    change: recorded,
    createdAt: 5,
    event: event('made'),
  });
  if (pieces === 2) await projectAll(journal);
  const ended = { type: 'ended', reason: 'a divorce', by: 'otto' } as const;
  const next = { expectedVersion: 2, expectedRelativeVersion: 2, id: 'ended', relation: 'made' };
  journal.commit({ ...base, ...next, change: ended, createdAt: 6, event: event('ended') });
  await projectAll(journal);
  expect(await query('SELECT * FROM family_relations')).toEqual([
    {
      id: 'made',
      account: 'alice',
      relative: 'bob',
      relationship: 'spouse',
      evidence: 'a register',
      recorded_by: 'olga',
      created_at: 5,
      ended_at: 6,
      ended_by: 'otto',
      ended_reason: 'a divorce',
    },
  ]);
  expect(await query(`SELECT id, facts_version FROM accounts WHERE id IN ('alice', 'bob') ORDER BY id`)).toEqual([
    { id: 'alice', facts_version: 3 },
    { id: 'bob', facts_version: 3 },
  ]);
});

test('a revocation ends keys; one that has ended keeps its time', async () => {
  await env.DB.batch(
    ['k1', 'k2', 'k3'].map((id) =>
      env.DB.prepare(
        `INSERT INTO api_keys (id, account, user_id, owner, name, secret_ciphertext, scopes, created_at)
         VALUES (?1, 'alice', 'user-alice', 'org-test', '', '', '[]', 1)`,
      ).bind(id),
    ),
  );
  journal.commit({ kind: 'revoke_keys', id: 'a', account: 'alice', keyIds: ['k1', 'k2'], createdAt: 5 });
  await projectAll(journal);
  journal.commit({ kind: 'revoke_keys', id: 'b', account: 'alice', keyIds: ['k2'], createdAt: 6 });
  await projectAll(journal);
  expect(await query('SELECT id, status, revoked_at FROM api_keys ORDER BY id')).toEqual([
    { id: 'k1', status: 'revoked', revoked_at: 5 },
    { id: 'k2', status: 'revoked', revoked_at: 5 },
    { id: 'k3', status: 'active', revoked_at: null },
  ]);
});

test('a change of a market brings its rules with their version, the venue its halt', async () => {
  const rules = {
    status: 'halted',
    quantityMin: 2,
    quantityMax: 3,
    makerFeeBps: 4,
    takerFeeBps: 5,
    bandBps: 6,
    bandHaltSeconds: 0,
    referencePrice: null,
  } as const;
  const event = operatorEvent('operator.market_rules', 'ACME-USD', 1);
  journal.commit({ kind: 'market', id: 'm', symbol: 'ACME-USD', expectedVersion: 1, rules, createdAt: 1, event });
  const halt = operatorEvent('operator.venue_halt', 'venue', 1);
  journal.commit({ kind: 'venue', id: 'v', halted: true, createdAt: 1, event: halt });
  await projectAll(journal);
  expect(
    await one(`SELECT status, quantity_min, quantity_max, maker_fee_bps, taker_fee_bps, band_bps, reference_price, rules_version
               FROM markets`),
  ).toEqual({
    status: 'halted',
    quantity_min: 2,
    quantity_max: 3,
    maker_fee_bps: 4,
    taker_fee_bps: 5,
    band_bps: 6,
    reference_price: null,
    rules_version: 2,
  });
  expect(await query('SELECT * FROM venue')).toEqual([{ id: 1, halted: 1 }]);
  expect(await query('SELECT id FROM domain_events ORDER BY id')).toEqual([{ id: event.id }, { id: halt.id }]);
});

test('an order that order entry refused is kept as rejected', async () => {
  const order = new TradedBook(journal).order('alice', 'buy', 1, 50, { clientOrderId: 'mine' });
  const { status, reserve, allowance, position, factsVersion, rulesVersion, ...kept } = order;
  journal.commit({
    kind: 'rejected_order',
    order: { ...kept, book: null, assetId: 'acme', preIpo: true, code: 'ACCREDITATION_REQUIRED' },
  });
  await projectAll(journal);
  expect(await one('SELECT id, book, open, status, code, pre_ipo, client_order_id, reserve FROM orders')).toEqual({
    id: order.id,
    book: null,
    open: 0,
    status: 'rejected',
    code: 'ACCREDITATION_REQUIRED',
    pre_ipo: 1,
    client_order_id: 'mine',
    reserve: 0,
  });
});

describe('the cursor', () => {
  beforeEach(() => {
    journal.deposit('alice', 'usd', 100);
    journal.deposit('alice', 'usd', 10);
    journal.deposit('alice', 'usd', 1);
  });

  test('stands at the last row', async () => {
    expect((await readPlace(env.DB, SHARD)).cursor).toBe(0);
    expect(await projectRows(journal, 1, 2)).toEqual({ type: 'done' });
    expect((await readPlace(env.DB, SHARD)).cursor).toBe(2);
  });

  test('makes rows that are sent twice land once', async () => {
    await projectRows(journal, 1, 2);
    const before = await everything();
    expect(await projectRows(journal, 1, 2)).toEqual({ type: 'done' });
    expect(await everything()).toEqual(before);
  });

  test.each([
    ['that it has passed', 1, 2],
    ['of which it has passed some', 3, 4],
    ['further on', 5, 5],
  ])('refuses rows %s, whole', async (_, first, last) => {
    journal.deposit('alice', 'usd', 5);
    journal.deposit('alice', 'usd', 6);
    await projectRows(journal, 1, 3);
    const before = await everything();
    expect(await projectRows(journal, first, last)).toEqual({ type: 'elsewhere', cursor: 3, isEmptying: false });
    expect(await everything()).toEqual(before);
  });

  test('of an empty database refuses rows that are not the first', async () => {
    expect(await projectRows(journal, 2)).toEqual({ type: 'elsewhere', cursor: 0, isEmptying: false });
    expect(await query('SELECT * FROM transfers')).toEqual([]);
  });

  test('moves with ownership and confirmations, which leave no other trace', async () => {
    await projectAll(journal);
    const { projections: _, ...before } = await everything();
    new TradedBook(journal);
    await projectAll(journal);
    const { projections, ...after } = await everything();
    expect(after).toEqual(before);
    expect(projections).toEqual([{ shard: SHARD, seq: 4, emptying: 0 }]);
  });

  test('is not asked to pass over a gap', async () => {
    journal.rows.splice(1, 1);
    expect(() => projectRows(journal, 1)).toThrow('journal row 3 does not follow row 1');
  });
});
