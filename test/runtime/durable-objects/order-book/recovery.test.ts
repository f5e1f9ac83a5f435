import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Database } from '../../../../data/database.ts';
import { type OrderBookApi, orderBookOf } from '../../../../durable-objects/order-book/api.ts';
import { BOOK_CODE } from '../../../../durable-objects/order-book/journal/engine-version.ts';
import { Journal } from '../../../../durable-objects/order-book/journal/journal.ts';
import { balanceOf, cancel, place } from '../../fixtures/book-commands.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { createTrader } from '../../fixtures/create-trader.ts';
import { type CallFate, clearFaults, faults } from '../../fixtures/faults.ts';
import { migrate } from '../../fixtures/migrate.ts';

let db: Database;
let markets = 0;
beforeAll(async () => {
  db = await migrate();
});
afterEach(clearFaults);

/** A market of its own with an open buy of 2 at 9.00, settled. */
async function market(): Promise<{ symbol: string; buyer: string; orderId: string }> {
  markets += 1;
  const name = `RECOVER${markets}`;
  await createPair(db, name);
  const symbol = `${name}-USD`;
  const { accountId: buyer } = await createTrader(db, { cash: 1_000_00 });
  const order = place(buyer, 'buy', 2, 9_00);
  expect(await bookOf(symbol).submit([order])).toMatchObject([{ type: 'done', report: { status: 'open' } }]);
  expect(await bookOf(symbol).settled()).toBe(true);
  return { symbol, buyer, orderId: order.orderId };
}

function bookOf(symbol: string): OrderBookApi {
  return orderBookOf(env, symbol);
}

/** Runs SQL in the book's own storage and lets it start anew. */
async function tamper(symbol: string, ...statements: string[]): Promise<void> {
  const stub = env.ORDER_BOOK.getByName(symbol);
  await runInDurableObject(stub, (_, { storage }) => {
    for (const statement of statements) storage.sql.exec(statement);
  });
  await evictDurableObject(stub);
}

const CHANGED = `UPDATE journal SET entry = replace(entry, '"GTC",2,', '"GTC",3,') WHERE seq = 1`;
const CHANGED_BACK = `UPDATE journal SET entry = replace(entry, '"GTC",3,', '"GTC",2,') WHERE seq = 1`;

describe('a journal that is not what was written', () => {
  it('a quantity changed from 2 to 3 halts the book, which takes nothing; repaired and resumed, it goes on', async () => {
    const { symbol, buyer, orderId } = await market();
    await tamper(symbol, CHANGED);
    expect((await bookOf(symbol).status()).halted).toBe('row 1 of the journal is not what was journaled');
    expect(await bookOf(symbol).submit([cancel(buyer, orderId)])).toEqual([{ type: 'unavailable', orderId }]);

    expect((await bookOf(symbol).resume()).halted).toBe('row 1 of the journal is not what was journaled');
    await tamper(symbol, CHANGED_BACK);
    expect(await bookOf(symbol).resume()).toMatchObject({ halted: null, liveOrders: 1 });
    expect(await bookOf(symbol).submit([cancel(buyer, orderId)])).toMatchObject([{ report: { status: 'cancelled' } }]);
    expect(await bookOf(symbol).settled()).toBe(true);
    expect(await balanceOf(buyer, 'usd')).toEqual({ available: 1_000_00, held: 0 });
  });

  it('that lacks its last row halts the book', async () => {
    const { symbol } = await market();
    await tamper(symbol, 'DELETE FROM journal WHERE seq = (SELECT max(seq) FROM journal)');
    expect((await bookOf(symbol).status()).halted).toBe('the journal ends with row 0, and row 1 was journaled');
  });

  it('of an engine version that the code lacks stops the book until the code has it', async () => {
    const { symbol } = await market();
    await tamper(symbol, 'UPDATE journal SET engine = 2');
    const known = BOOK_CODE.known.map(({ version }) => version).join(' and ');
    expect((await bookOf(symbol).status()).halted).toBe(
      `row 1 of the journal is of engine version 2, and this code has ${known}`,
    );
    await tamper(symbol, `UPDATE journal SET engine = ${BOOK_CODE.current.version}`);
    expect(await bookOf(symbol).status()).toMatchObject({ halted: null, liveOrders: 1 });
  });
});

describe('a ledger that is older than the book', () => {
  it('halts it with the reason; its orders can still be cancelled', async () => {
    const { symbol, buyer, orderId } = await market();
    await tamper(symbol, `INSERT OR REPLACE INTO meta (key, value) VALUES ('settled', '700')`);
    expect((await bookOf(symbol).status()).halted).toMatch(/had confirmed 700: it is older than this book/);
    expect(await bookOf(symbol).submit([place(buyer, 'buy', 1, 1_00)])).toMatchObject([{ type: 'unavailable' }]);
    expect(await bookOf(symbol).submit([cancel(buyer, orderId)])).toMatchObject([{ report: { status: 'cancelled' } }]);
    const massCancel = { type: 'mass_cancel', account: null, keyId: null, side: null, reason: 'halt' } as const;
    expect(await bookOf(symbol).submit([massCancel])).toEqual([
      { type: 'mass_cancelled', orderIds: [], pendingOrderIds: [] },
    ]);
  });
});

describe('a book that starts while D1 is away', () => {
  it('goes by the rules that it read last', async () => {
    const { symbol, buyer } = await market();
    await evictDurableObject(env.ORDER_BOOK.getByName(symbol));
    await env.DB.prepare('ALTER TABLE markets RENAME TO markets_away').run();
    try {
      expect(await bookOf(symbol).submit([place(buyer, 'buy', 1, 8_00)])).toMatchObject([
        { type: 'done', report: { status: 'open' } },
      ]);
      expect((await bookOf(symbol).status()).market).toBe('open');
      expect(await bookOf(symbol).reconfigure()).toBe(false);
    } finally {
      await env.DB.prepare('ALTER TABLE markets_away RENAME TO markets').run();
    }
  });
});

describe('a book that starts while the ledger is away', () => {
  const away = (fate: CallFate): void => {
    faults.haste = 1_000;
    faults.plan = { kills: () => false, ledger: () => fate };
  };

  it.each<CallFate>(['request_lost', 'hangs'])(
    'shows its journal and takes cancels and mass cancels, others it answers unavailable; they settle once the ledger is back (%s)',
    async (fate) => {
      const { symbol, buyer, orderId } = await market();
      const other = place(buyer, 'buy', 3, 8_00);
      await bookOf(symbol).submit([other]);
      await bookOf(symbol).settled();
      await evictDurableObject(env.ORDER_BOOK.getByName(symbol));
      away(fate);
      expect((await bookOf(symbol).depth(5)).bids).toEqual([
        [9_00, 2],
        [8_00, 3],
      ]);
      expect(await bookOf(symbol).submit([place(buyer, 'buy', 1, 1_00)])).toMatchObject([{ type: 'unavailable' }]);
      expect(await bookOf(symbol).submit([cancel(buyer, orderId)])).toMatchObject([
        { type: 'done', report: { status: 'cancelled' } },
      ]);
      expect((await bookOf(symbol).depth(5)).bids).toEqual([[8_00, 3]]);
      const massCancel = { type: 'mass_cancel', account: buyer, keyId: null, side: null, reason: 'user' } as const;
      expect(await bookOf(symbol).submit([massCancel])).toEqual([
        { type: 'mass_cancelled', orderIds: [other.orderId], pendingOrderIds: [] },
      ]);
      expect(await bookOf(symbol).status()).toMatchObject({ owner: '', liveOrders: 0, halted: null });
      expect(await balanceOf(buyer, 'usd')).toEqual({ available: 1_000_00 - 42_00, held: 42_00 });

      await evictDurableObject(env.ORDER_BOOK.getByName(symbol));
      clearFaults();
      expect(await bookOf(symbol).settled()).toBe(true);
      expect(await balanceOf(buyer, 'usd')).toEqual({ available: 1_000_00, held: 0 });
    },
  );

  it('replays its journal once, however often it is read', async () => {
    const { symbol } = await market();
    await evictDurableObject(env.ORDER_BOOK.getByName(symbol));
    away('request_lost');
    const restored = vi.spyOn(Journal.prototype, 'restore');
    for (let reading = 0; reading < 5; reading++) expect((await bookOf(symbol).depth(5)).bids).toEqual([[9_00, 2]]);
    await bookOf(symbol).ticker();
    expect(restored).toHaveBeenCalledTimes(1);
    restored.mockRestore();
  });
});

describe('a ledger that neither answers nor fails', () => {
  it.each<CallFate>(['hangs', 'answer_hangs'])(
    'is sent the same batch again on a fresh stub (%s), and the order is placed once',
    async (fate) => {
      const { symbol, buyer } = await market();
      const fates: CallFate[] = [fate, fate];
      faults.haste = 100;
      faults.plan = { kills: () => false, ledger: () => fates.shift() ?? 'through' };
      const order = place(buyer, 'buy', 1, 8_00);
      expect(await bookOf(symbol).submit([order])).toMatchObject([{ type: 'done', report: { status: 'open' } }]);
      expect(fates).toEqual([]);
      await bookOf(symbol).settled();
      expect(await balanceOf(buyer, 'usd')).toEqual({ available: 1_000_00 - 26_00, held: 26_00 });
    },
  );
});

describe('a quiet market', () => {
  it('expires a GTD order that was placed while the alarm of an earlier expiry was still set', async () => {
    const { symbol, buyer } = await market();
    const stub = env.ORDER_BOOK.getByName(symbol);
    const untilIn = (ms: number) => place(buyer, 'buy', 1, 8_00, { timeInForce: 'GTD', expiresAt: Date.now() + ms });
    const first = untilIn(300);
    await bookOf(symbol).submit([first]);
    await vi.waitFor(async () => expect((await bookOf(symbol).status()).liveOrders).toBe(1));
    await bookOf(symbol).submit([untilIn(1_500)]);
    await bookOf(symbol).settled();
    await scheduler.wait(1_600);
    while (await runDurableObjectAlarm(stub)) await scheduler.wait(1);
    expect((await bookOf(symbol).status()).liveOrders).toBe(1);
    await bookOf(symbol).settled();
    expect(await balanceOf(buyer, 'usd')).toEqual({ available: 982_00, held: 18_00 });
  });
});
