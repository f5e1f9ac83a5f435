import { expect, test } from 'vitest';
import { BOOK_CODE } from '../journal/engine-version.ts';
import type { BookResult } from '../rpc/commands.ts';
import { BookInMemory } from './book-in-memory.fixtures.ts';
import { LIMIT_STATE_MS } from './trading-band.ts';

const HALT_MS = 30_000;

/** A market at 10.00 with a band of 1 % and a halt of 30 s, in which one may buy and another sell what they like. */
function bandedBook(): BookInMemory {
  const book = new BookInMemory();
  book.deposit('buyer', 'usd', 1_000_000_00);
  book.deposit('seller', 'acme', 1_000);
  for (const other of ['second', 'third']) book.deposit(other, 'usd', 1_000_000_00);
  goBy(book);
  return book;
}

function goBy(book: BookInMemory): void {
  const { config } = book.flow;
  const rules = { bandBps: 100, bandHaltSeconds: HALT_MS / 1_000, referencePrice: 10_00 };
  book.flow.goBy({ ...config, market: { ...config.market, ...rules } });
}

const MARKET = { type: 'market', timeInForce: 'IOC', price: null } as const;

function report(result: BookResult | undefined): object {
  if (result?.type !== 'done') throw new Error(JSON.stringify(result));
  return result.report;
}

/** Asks of one share at each of these prices. */
async function offer(book: BookInMemory, ...prices: number[]): Promise<string[]> {
  const asks = prices.map((price) => book.place('seller', 'sell', 1, price));
  for (const result of await book.submit(...asks)) expect(report(result)).toMatchObject({ status: 'open' });
  return asks.map(({ orderId }) => orderId);
}

/** Two more accounts buy at the end of the band, and the time is over that trading may stand there: the next cycle halts the book. */
async function standAtTheEnd(book: BookInMemory, wait_ms = LIMIT_STATE_MS): Promise<void> {
  await offer(book, 10_10, 10_10);
  const others = ['second', 'third'].map((account) => book.place(account, 'buy', 1, 10_10));
  for (const result of await book.submit(...others)) expect(report(result)).toMatchObject({ status: 'filled' });
  await book.pass(wait_ms);
}

async function halt(book: BookInMemory): Promise<void> {
  await offer(book, 10_10);
  await book.submit(book.place('buyer', 'buy', 1, 10_10));
  await standAtTheEnd(book);
  book.flow.kick();
}

test('a market order stops at the end of the band, and the book halts by itself until its time', async () => {
  const book = bandedBook();
  await offer(book, 10_00, 10_10);
  const [swept] = await book.submit(book.place('buyer', 'buy', 5, 0, MARKET));
  expect(report(swept)).toMatchObject({ status: 'cancelled', filled: 2, filledNotional: 20_10 });
  expect(book.state.band.haltedUntil, 'one account').toBeNull();
  await standAtTheEnd(book);
  book.flow.kick();
  expect(book.state.band.haltedUntil).toBe(book.now + HALT_MS);

  const refused = { reason: 'market_not_open', status: 'halted', resumesAt: book.now + HALT_MS };
  const [late] = await book.submit(book.place('buyer', 'buy', 1, 10_00));
  expect(late).toMatchObject({ type: 'refused', refusal: refused });
  await book.pass(HALT_MS - 1);
  expect((await book.submit(book.place('buyer', 'buy', 1, 10_00)))[0]).toMatchObject({ refusal: refused });
  await book.pass(1);
  expect(report((await book.submit(book.place('buyer', 'buy', 1, 10_20)))[0])).toMatchObject({ status: 'open' });
  expect(book.state.band.haltedUntil).toBeNull();
  await book.flow.settled(1_000);
  expect(book.ledger.violations()).toEqual([]);
});

test('a market whose price is one tick trades on, whoever trades there', async () => {
  const book = bandedBook();
  const { config } = book.flow;
  const cheap = { referencePrice: 1, referenceStatement: 2 };
  book.flow.goBy({ ...config, market: { ...config.market, ...cheap } });
  for (const buyer of ['buyer', 'second', 'third']) {
    await offer(book, 1);
    expect(report((await book.submit(book.place(buyer, 'buy', 1, 1)))[0])).toMatchObject({ status: 'filled' });
  }
  await book.pass(LIMIT_STATE_MS);
  book.flow.kick();
  expect(book.state.band.haltedUntil).toBeNull();
  expect(report((await book.submit(book.place('buyer', 'buy', 1, 1)))[0])).toMatchObject({ status: 'open' });
});

test('no sequence of orders drags the band along within a minute', async () => {
  const book = bandedBook();
  const { config } = book.flow;
  book.flow.goBy({ ...config, market: { ...config.market, bandHaltSeconds: 0 } });
  await offer(book, 10_05, 10_10);
  for (let times = 0; times < 2; times++)
    expect(report((await book.submit(book.place('buyer', 'buy', 1, 10_10)))[0])).toMatchObject({ filled: 1 });
  const [beyond] = await book.submit(book.place('buyer', 'buy', 1, 10_15));
  expect(beyond).toMatchObject({ refusal: { reason: 'outside_price_band', low: 9_90, high: 10_10 } });
});

test('what is matched in the cycle that begins a halt is rejected, and cancels are taken', async () => {
  const book = bandedBook();
  const [first] = await offer(book, 10_10, 10_10, 10_10);
  const amended = book.place('buyer', 'buy', 1, 9_95);
  await book.submit(amended);
  const [touched] = await book.submit(book.place('buyer', 'buy', 1, 10_10));
  expect(report(touched)).toMatchObject({ status: 'filled' });
  await standAtTheEnd(book, 0);
  // The time is over while the ledger admits what comes next.
  book.beforeCommit = () => {
    book.now += LIMIT_STATE_MS;
    book.beforeCommit = () => undefined;
  };
  const behind = book.place('buyer', 'buy', 1, 10_10);
  const change = {
    type: 'amend',
    amendmentId: book.id('amendment'),
    orderId: amended.orderId,
    account: 'buyer',
    quantity: 2,
    price: null,
    stopPrice: null,
    checkedOver: null,
    unfilledOnly: false,
    limitedKey: null,
    factsVersion: 1,
    rulesVersion: 1,
  } as const;
  const [rejected, kept] = await book.submit(behind, change);
  expect(report(rejected)).toMatchObject({ status: 'rejected', code: 'ASSET_NOT_TRADEABLE', filled: 0 });
  expect(kept).toMatchObject({ type: 'refused', refusal: { reason: 'market_not_open', status: 'halted' } });
  const left = [...book.state.orders.keys()].find((id) => id !== first && id !== amended.orderId) ?? '';
  const [cancelled] = await book.submit({ type: 'cancel', orderId: left, account: 'seller' });
  expect(report(cancelled)).toMatchObject({ status: 'cancelled' });
  await book.flow.settled(1_000);
  expect(book.ledger.violations()).toEqual([]);
});

test('a book that comes back from its journal in a halt is still in it, and ends it in time', async () => {
  const book = bandedBook();
  await halt(book);
  const { haltedUntil } = book.state.band;
  const hash = book.state.engine.stateHash();
  book.restart();
  book.takeOver();
  goBy(book);
  expect([book.state.band.haltedUntil, book.state.engine.stateHash()]).toEqual([haltedUntil, hash]);
  expect(book.state.nextDue).toBe(haltedUntil);
  await book.pass(HALT_MS);
  book.flow.kick();
  expect(book.state.band.haltedUntil, 'nobody had to trade for it').toBeNull();
  expect(book.state.nextDue).toBeNull();
  expect(book.journal.entries.at(-1)).toMatchObject({ commands: [], batch: null });
});

test('an operator ends a halt with rules that have none, and D1 hears of it', async () => {
  const book = bandedBook();
  await halt(book);
  await book.flow.settled(1_000);
  const said: unknown[] = [];
  book.beforeCommit = ({ chunks }) => void said.push(...chunks.map(({ haltedUntil }) => haltedUntil));
  const { config } = book.flow;
  await book.pass(1_000);
  await book.flow.reconfigure({ ...config, market: { ...config.market, bandHaltSeconds: 0 } });
  expect(report((await book.submit(book.place('buyer', 'buy', 1, 10_15)))[0])).toMatchObject({ status: 'open' });
  await book.flow.settled(1_000);
  expect(said).toContain(book.now);
});

test('D1 hears of the halt, and of what the band lies around', async () => {
  const book = bandedBook();
  const said: unknown[] = [];
  book.beforeCommit = ({ chunks }) =>
    void said.push(...chunks.flatMap(({ haltedUntil, band }) => [haltedUntil, band?.reference]));
  await halt(book);
  const { haltedUntil } = book.state.band;
  await book.pass(HALT_MS);
  book.flow.kick();
  await book.flow.settled(1_000);
  expect(said).toContain(haltedUntil);
  expect(said).toContain(10_10);
});

test('T-08: one lot, ten lots or all that stands, between two accounts, halts nobody and moves no band', async () => {
  for (const lots of [1, 10, 100]) {
    const book = bandedBook();
    for (let minute = 0; minute < 12; minute++) {
      const high = book.state.band.band?.high ?? 0;
      await book.submit(book.place('seller', 'sell', lots, high), book.place('buyer', 'buy', lots, high));
      await book.pass(60_000);
      book.flow.kick();
      await book.flow.settled(1_000);
    }
    expect([book.state.band.haltedUntil, book.state.band.band]).toEqual([null, { low: 9_90, high: 10_10 }]);
  }
});

test('T-08: twenty accounts that trade at the end halt the market once, and move its band', async () => {
  const book = bandedBook();
  const accounts = Array.from({ length: 20 }, (_, index) => `account-${index}`);
  for (const account of accounts) book.deposit(account, 'usd', 1_000_00);
  await offer(book, ...accounts.map(() => 10_10));
  await book.submit(...accounts.map((account) => book.place(account, 'buy', 1, 10_10)));
  await book.pass(LIMIT_STATE_MS);
  book.flow.kick();
  expect(book.state.band.haltedUntil).toBe(book.now + HALT_MS);
  await book.pass(HALT_MS);
  book.flow.kick();
  expect([book.state.band.haltedUntil, book.state.band.reference]).toEqual([null, 10_10]);
});

test('T-08: after a halt the first trade, of two accounts, halts the market no second time', async () => {
  const book = bandedBook();
  await halt(book);
  await book.pass(HALT_MS);
  book.flow.kick();
  const high = book.state.band.band?.high ?? 0;
  await book.submit(book.place('seller', 'sell', 1, high), book.place('buyer', 'buy', 1, high));
  await book.pass(LIMIT_STATE_MS);
  book.flow.kick();
  expect(book.state.band.haltedUntil).toBeNull();
});

/** Three accounts trade at this price. */
async function agreeOn(book: BookInMemory, price: number): Promise<void> {
  await offer(book, price, price);
  const others = ['second', 'third'].map((account) => book.place(account, 'buy', 1, price));
  for (const result of await book.submit(...others)) expect(report(result)).toMatchObject({ status: 'filled' });
}

/** An operator states these rules. */
async function state(book: BookInMemory, rules: Partial<BookInMemory['flow']['config']['market']>): Promise<void> {
  const { config } = book.flow;
  expect(await book.flow.reconfigure({ ...config, market: { ...config.market, ...rules } })).toBe(true);
}

test('a reference price that an operator states holds against what has traded, also when it is the same one, until accounts agree anew', async () => {
  const book = bandedBook();
  await agreeOn(book, 10_10);
  for (let minute = 0; minute < 10; minute++) {
    await book.pass(60_000);
    await book.flow.settled(1_000);
  }
  await book.submit(book.place('buyer', 'buy', 1, 10_00));
  expect(book.state.band.reference).toBe(10_10);
  await state(book, { referenceStatement: 1 });
  expect(book.state.band.band).toEqual({ low: 9_90, high: 10_10 });
  await book.pass(60 * 60_000);
  await book.submit(book.place('buyer', 'buy', 1, 9_99));
  expect(book.state.band.band).toEqual({ low: 9_90, high: 10_10 });
  const sell = book.place('seller', 'sell', 1, 0, MARKET);
  expect(report((await book.submit(sell))[0])).toMatchObject({ status: 'filled', filledNotional: 10_00 });
  await agreeOn(book, 10_05);
  await book.pass(60_000);
  await book.submit(book.place('buyer', 'buy', 1, 9_98));
  expect(book.state.band.reference).toBe(10_02);
  await book.flow.settled(1_000);
  expect(book.ledger.violations()).toEqual([]);
});

test('what was stated holds through the end of a halt, and through a restart', async () => {
  const book = bandedBook();
  await halt(book);
  await state(book, { referencePrice: 12_00, referenceStatement: 1 });
  expect(book.state.band.haltedUntil).not.toBeNull();
  const snapshot = JSON.stringify(book.state.snapshot());
  const { config } = book.flow;
  book.restart();
  book.takeOver();
  book.flow.goBy(config);
  expect(JSON.stringify(book.state.snapshot())).toBe(snapshot);
  await book.pass(HALT_MS);
  book.flow.kick();
  expect([book.state.band.haltedUntil, book.state.band.band]).toEqual([null, { low: 11_88, high: 12_12 }]);
});

test('a band that an operator widens in its limit state is halted by nothing that its old end saw', async () => {
  const book = bandedBook();
  await standAtTheEnd(book, 1_000);
  expect(book.state.nextDue).not.toBeNull();
  await state(book, { bandBps: 1_000 });
  await book.pass(LIMIT_STATE_MS);
  book.flow.kick();
  expect([book.state.band.haltedUntil, book.state.nextDue]).toEqual([null, null]);
});

test('D1 hears where the band lies and goes: first of all, when accounts agree, and when an operator states a price', async () => {
  const book = bandedBook();
  const said: unknown[] = [];
  book.beforeCommit = ({ chunks }) =>
    void said.push(...chunks.flatMap(({ band }) => (band === undefined ? [] : [band])));
  await book.submit(book.place('buyer', 'buy', 1, 9_95));
  await book.flow.settled(1_000);
  const start = { reference: null, target: null, statement: null };
  expect(said).toEqual([{ ...start, at: book.now }]);
  await agreeOn(book, 10_05);
  await book.flow.settled(1_000);
  expect(said.at(-1)).toEqual({ ...start, target: 10_05, at: book.now });
  await state(book, { referenceStatement: 1 });
  await book.flow.settled(1_000);
  expect(said.at(-1)).toEqual({ ...start, statement: 1, at: book.now });
  expect(said).toHaveLength(3);
});

test('a book whose band the ledger lacks, because an earlier version ran it, tells it as soon as it starts', async () => {
  const book = bandedBook();
  book.state.goBy(BOOK_CODE.known.find(({ version }) => version === 10) ?? BOOK_CODE.current);
  await agreeOn(book, 10_10);
  await book.pass(60 * 60_000);
  await book.submit(book.place('buyer', 'buy', 1, 10_00));
  await book.flow.settled(1_000);
  book.flow.kick();
  const cycles = book.journal.entries.length;
  const said: unknown[] = [];
  book.beforeCommit = ({ chunks }) => void said.push(...chunks.map(({ band }) => band));
  book.state.goBy(BOOK_CODE.current);
  book.flow.kick();
  await book.flow.settled(1_000);
  expect(said).toEqual([{ reference: 10_10, target: 10_10, statement: null, at: book.now }]);
  expect(book.journal.entries).toHaveLength(cycles + 1);
});
