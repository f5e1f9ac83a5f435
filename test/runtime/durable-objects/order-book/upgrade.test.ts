import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../../data/database.ts';
import { compareHolds } from '../../../../domain/ledger/compare-holds.ts';
import { type BookStatus, type OrderBookApi, orderBookOf } from '../../../../durable-objects/order-book/api.ts';
import { laterBookCode, NEXT_VERSION } from '../../../../durable-objects/order-book/journal/engine-version.fixtures.ts';
import { BOOK_CODE, type BookCode } from '../../../../durable-objects/order-book/journal/engine-version.ts';
import { balanceOf, cancel, place } from '../../fixtures/book-commands.ts';
import { createCurrency } from '../../fixtures/create-currency.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { createTrader } from '../../fixtures/create-trader.ts';
import { assertLedgerIsRight, send } from '../../fixtures/fault-run.ts';
import { clearFaults, faults } from '../../fixtures/faults.ts';
import { giveBalance } from '../../fixtures/give-balance.ts';
import { ask } from '../../fixtures/ledger-client.ts';
import { migrate } from '../../fixtures/migrate.ts';

let db: Database;
const traders: string[] = [];
beforeAll(async () => {
  db = await migrate();
  await createCurrency(db);
  for (let i = 0; i < 3; i++) traders.push((await createTrader(db, { cash: 1_000_00 })).accountId);
});
afterEach(clearFaults);

function bookOf(symbol: string): OrderBookApi {
  return orderBookOf(env, symbol);
}

/** A market of its own in a crypto asset, of which everybody has 100. */
async function market(name: string): Promise<string> {
  await createPair(db, name, { asset: { tracksLots: false, category: 'crypto', rail: 'digital' } });
  for (const account of traders) await giveBalance({ accountId: account, asset: name.toLowerCase(), amount: 100 });
  return `${name}-USD`;
}

/** Ends the running instance, with what it has on disk; the next one is of this deployment. */
async function deploy(symbol: string, code: BookCode): Promise<void> {
  const stub = env.ORDER_BOOK.getByName(symbol);
  await runInDurableObject(stub, async (_, { storage }) => storage.sync());
  faults.code = code;
  await runInDurableObject(stub, (_, state) => state.abort('killed by a test')).catch(() => undefined);
}

function statusOf(symbol: string): Promise<BookStatus> {
  return ask(symbol, async () => bookOf(symbol).status());
}

/** Two sells of others, taken by one buy; answers how many chunks that came to. */
async function sweep(symbol: string): Promise<number> {
  const [ann, bob, cem] = traders as [string, string, string];
  await send(symbol, [place(bob, 'sell', 1, 9_00), place(cem, 'sell', 1, 9_00)]);
  expect(await ask(symbol, async () => bookOf(symbol).settled())).toBe(true);
  const before = (await statusOf(symbol)).settled;
  expect(await send(symbol, [place(ann, 'buy', 2, 9_00)])).toMatchObject([{ report: { status: 'filled' } }]);
  expect(await ask(symbol, async () => bookOf(symbol).settled())).toBe(true);
  return (await statusOf(symbol)).settled - before;
}

/** Which of two orders of one account that meet is cancelled. */
async function meetOneself(symbol: string): Promise<'the new one' | 'the resting one'> {
  const [ann] = traders as [string];
  const resting = place(ann, 'sell', 1, 20_00);
  await send(symbol, [resting]);
  const coming = place(ann, 'buy', 1, 20_00);
  const [met] = await send(symbol, [coming]);
  const status = met?.type === 'done' ? met.report.status : met?.type;
  if (status === 'open') await send(symbol, [cancel(ann, coming.orderId)]);
  else await send(symbol, [cancel(ann, resting.orderId)]);
  return status === 'open' ? 'the resting one' : 'the new one';
}

async function versionsIn(symbol: string): Promise<number[]> {
  return runInDurableObject(env.ORDER_BOOK.getByName(symbol), (_, { storage }) =>
    storage.sql
      .exec<{ engine: number }>('SELECT engine FROM journal GROUP BY engine ORDER BY min(seq)')
      .toArray()
      .map(({ engine }) => engine),
  );
}

/** Book, ledger and D1 agree, and the book is the replay of its journal. */
async function expectSound(symbol: string): Promise<void> {
  const hash = await ask(symbol, async () => bookOf(symbol).stateHash());
  await deploy(symbol, faults.code);
  expect((await statusOf(symbol)).halted).toBeNull();
  expect(await bookOf(symbol).stateHash()).toEqual(hash);
  expect(await bookOf(symbol).settled()).toBe(true);
  const inLedger = await ask('ledger:0', (ledger) => ledger.reservations(symbol));
  expect(compareHolds(inLedger, (await bookOf(symbol).holds()) ?? [])).toEqual([]);
  await assertLedgerIsRight(db);
}

describe('a book that is deployed with another version of its engine', () => {
  it('recovers by the version before and goes on by its own, across kills; D1 and ledger agree with it', async () => {
    const symbol = await market('UPGRADE');
    const [, bob] = traders as [string, string];
    const kept = place(bob, 'sell', 3, 30_00);
    await send(symbol, [kept]);
    expect([await sweep(symbol), await meetOneself(symbol)]).toEqual([1, 'the new one']);

    await deploy(symbol, laterBookCode());
    expect(await statusOf(symbol)).toMatchObject({ halted: null, liveOrders: 1 });
    expect([await sweep(symbol), await meetOneself(symbol)]).toEqual([2, 'the resting one']);
    await deploy(symbol, laterBookCode());
    expect([await sweep(symbol), await meetOneself(symbol)]).toEqual([2, 'the resting one']);
    expect(await versionsIn(symbol)).toEqual([BOOK_CODE.current.version, NEXT_VERSION.version]);
    await expectSound(symbol);

    await deploy(symbol, laterBookCode(BOOK_CODE.current));
    expect([await sweep(symbol), await meetOneself(symbol)]).toEqual([1, 'the new one']);
    expect(await send(symbol, [cancel(bob, kept.orderId)])).toMatchObject([{ report: { status: 'cancelled' } }]);
    await expectSound(symbol);
  });

  it('under the number of the version before, though it has other effects, halts the book at the first row that differs', async () => {
    const symbol = await market('SAME');
    expect(await meetOneself(symbol)).toBe('the new one');
    const { version } = BOOK_CODE.current;
    const mistaken = { ...NEXT_VERSION, version };
    await deploy(symbol, { known: [mistaken], current: mistaken });
    expect((await statusOf(symbol)).halted).toBe('replay of row 2 of the journal gave other effects than it had');
    await deploy(symbol, BOOK_CODE);
    expect(await ask(symbol, async () => bookOf(symbol).resume())).toMatchObject({ halted: null });
    await expectSound(symbol);
  });

  it('settles by the new version what the version before has left in its outbox', async () => {
    const symbol = await market('OUTBOX');
    const [ann, bob] = traders as [string, string];
    await send(symbol, [place(bob, 'sell', 2, 9_00)]);
    expect(await bookOf(symbol).settled()).toBe(true);
    let isMatched = false;
    faults.plan = {
      kills: (point) => {
        const isOver = point === 'before_answer' && !isMatched;
        isMatched ||= isOver;
        return isOver;
      },
      ledger: () => 'through',
    };
    const before = await balanceOf(ann, 'outbox');
    faults.code = laterBookCode();
    await send(symbol, [place(ann, 'buy', 2, 9_00)]);
    expect(isMatched).toBe(true);
    expect(await ask(symbol, async () => bookOf(symbol).settled())).toBe(true);
    expect(await balanceOf(ann, 'outbox')).toEqual({ ...before, available: before.available + 2 });
    await expectSound(symbol);
  });

  it('taken back to code that lacks it stands still with the reason, touches nothing, and goes on with the right code', async () => {
    const symbol = await market('BACK');
    const [, bob] = traders as [string, string];
    await deploy(symbol, laterBookCode());
    const order = place(bob, 'sell', 3, 30_00);
    await send(symbol, [order]);
    expect(await bookOf(symbol).settled()).toBe(true);
    const { owner } = await statusOf(symbol);
    const hash = await bookOf(symbol).stateHash();
    const fence = await ask('ledger:0', (ledger) => ledger.fence(symbol));

    await deploy(symbol, BOOK_CODE);
    expect((await statusOf(symbol)).halted).toBe(
      `row 1 of the journal is of engine version ${NEXT_VERSION.version}, and this code has ${BOOK_CODE.known.map(({ version }) => version).join(' and ')}`,
    );
    expect(await bookOf(symbol).submit([cancel(bob, order.orderId)])).toEqual([
      { type: 'unavailable', orderId: order.orderId },
    ]);
    expect(await bookOf(symbol).settled()).toBe(false);
    expect(await bookOf(symbol).holds()).toBeNull();
    const depth = await bookOf(symbol)
      .depth(5)
      .then(
        () => 'answered',
        (error: unknown) => String(error),
      );
    expect(depth).toContain(`engine version ${NEXT_VERSION.version}`);
    expect(await ask('ledger:0', (ledger) => ledger.fence(symbol))).toEqual(fence);
    expect(fence.owner).toBe(owner);

    await deploy(symbol, laterBookCode());
    expect((await statusOf(symbol)).halted).toBeNull();
    expect(await bookOf(symbol).stateHash()).toEqual(hash);
    expect(await send(symbol, [cancel(bob, order.orderId)])).toMatchObject([{ report: { status: 'cancelled' } }]);
    await expectSound(symbol);
  });
});
