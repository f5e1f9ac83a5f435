import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { createAsset } from '../../../../data/catalog/assets.ts';
import type { Database } from '../../../../data/database.ts';
import { BOUNDARY_ACCOUNT } from '../../../../domain/ledger/boundary-accounts.ts';
import { primeLevels, primeSymbolOf } from '../../../../domain/sandbox-prime/prime-book.ts';
import type { PrimeFaults } from '../../../../domain/sandbox-prime/prime-faults.ts';
import { orderBookOf } from '../../../../durable-objects/order-book/api.ts';
import { sandboxPrimeOf } from '../../../../durable-objects/sandbox-prime/api.ts';
import { balanceOf, cancel, place } from '../../fixtures/book-commands.ts';
import { USD } from '../../fixtures/create-currency.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { createTrader } from '../../fixtures/create-trader.ts';
import { expectRightLedger } from '../../fixtures/expect-right-ledger.ts';
import { random } from '../../fixtures/fault-run.ts';
import { clearFaults, faults } from '../../fixtures/faults.ts';
import { giveBalance } from '../../fixtures/give-balance.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { settle } from '../../fixtures/settle.ts';

const SEEDS = [1, 2, 3];
const ORDERS = 40;
const TRADERS = 3;
const LOT = 1_000_000;
const COINS = 100_000 * LOT;
const CASH = 1_000_000_000_0000;
/** How long a step waits for its order: one whose book was killed may be answered much later. */
const PATIENCE_MS = 500;
/** Of a call to an object that is killed under it. */
const TRIES_MAX = 40;

/** Both runs of a seed deal at these prices. */
const PRICES = { symbol: 'STILL', at_ms: 1_800_000_000_000 };

const NO_FAULTS: PrimeFaults = {
  seed: 0,
  duplicate_pm: 0,
  delay_pm: 0,
  delay_ms_max: 0,
  drop_pm: 0,
  missign_pm: 0,
  lostAnswer_pm: 0,
  awayUntil_ms: 0,
  prices: PRICES,
};

/** What goes wrong at the prime broker: everything, often. */
function faultsOf(seed: number): PrimeFaults {
  return {
    ...NO_FAULTS,
    seed,
    duplicate_pm: 300,
    delay_pm: 400,
    delay_ms_max: 300,
    drop_pm: 200,
    missign_pm: 100,
    lostAnswer_pm: 150,
    awayUntil_ms: Date.now() + 300,
  };
}

let db: Database;

beforeAll(async () => {
  db = await migrate();
  await createAsset(db, { id: USD, symbol: 'USD', name: 'US dollar', category: 'currency', scale: 4, createdAt: 0 });
});

afterEach(() => clearFaults());

/** Whatever it does just now. */
async function killed(object: DurableObjectStub): Promise<void> {
  await runInDurableObject(object, (_, state) => state.abort('killed by a test')).catch(() => undefined);
}

/** A call that is repeated while its object is killed. */
async function persistently<T>(call: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await call();
    } catch (error) {
      if (tries === TRIES_MAX) throw error;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
}

/** An order that comes to the same whenever it is sent: what it takes does not depend on others, and what rests never fills. */
interface Planned {
  readonly trader: number;
  readonly side: 'buy' | 'sell';
  readonly lots: number;
  readonly price: number;
  readonly timeInForce: 'GTC' | 'IOC' | 'FOK';
  readonly isCancelled: boolean;
}

function planOf(seed: number): Planned[] {
  const draw = random(seed);
  const pick = (count: number) => Math.floor(draw() * count);
  const deal = primeSymbolOf(PRICES.symbol);
  if (deal === null) throw new Error('fixture: no prices');
  return Array.from({ length: ORDERS }, () => {
    const side = pick(2) === 0 ? 'buy' : 'sell';
    const timeInForce = (['GTC', 'GTC', 'IOC', 'FOK'] as const)[pick(4)] ?? 'GTC';
    const levels = primeLevels(deal, side, PRICES.at_ms);
    const rests = timeInForce === 'GTC' && pick(3) === 0;
    const [best] = levels;
    const reached = levels[pick(levels.length)];
    if (best === undefined || reached === undefined) throw new Error('fixture: no prices');
    const lotsAtBest = best.quantity / LOT;
    const away = side === 'buy' ? 0.8 : 1.2;
    return {
      trader: pick(TRADERS),
      side,
      // What stays on the book is filled whole at once; any other takes what there is.
      lots: 1 + pick(timeInForce === 'GTC' ? lotsAtBest : 2_000),
      price: rests ? Math.round((best.price * away) / 100) : Math.round(reached.price / 100),
      timeInForce,
      isCancelled: rests && pick(2) === 0,
    };
  });
}

/** What a run came to, without what is another's name. */
interface Outcome {
  readonly balances: readonly { readonly coins: number; readonly cash: number }[];
  readonly orders: readonly { readonly status: string; readonly filled: number; readonly notional: number }[];
  readonly trades: readonly (readonly string[])[];
}

async function run(name: string, plan: readonly Planned[], seed: number | null): Promise<Outcome> {
  const [asset, symbol] = [name.toLowerCase(), `PRIME:${name}-USD`];
  const prime = () => sandboxPrimeOf(env, name);
  const book = () => orderBookOf(env, symbol);
  await createPair(db, name, {
    asset: { category: 'crypto', rail: 'digital', scale: 8, tracksLots: false, executionRoute: 'prime' },
    market: { route: 'prime', lotSize: LOT, quantityMin: LOT, quantityMax: 10_000 * LOT, takerFeeBps: 7 },
  });
  const traders: string[] = [];
  for (let index = 0; index < TRADERS; index++) {
    const { accountId } = await createTrader(db, { cash: CASH });
    await giveBalance({ accountId, asset, amount: COINS });
    traders.push(accountId);
  }
  expect(await prime().setFaults(seed === null ? NO_FAULTS : faultsOf(seed))).toBe(true);
  const draw = random((seed ?? 0) + 1_000);
  if (seed !== null) faults.plan = { kills: () => draw() < 0.02, ledger: () => 'through' };

  const orderIds: string[] = [];
  const placements: Promise<unknown>[] = [];
  for (const { trader, side, lots, price, timeInForce } of plan) {
    const account = traders[trader] as string;
    const command = place(account, side, lots * LOT, price, { timeInForce });
    orderIds.push(command.orderId);
    const placed = persistently(async () => book().submit([command]));
    placements.push(placed.catch(() => undefined));
    await Promise.race([placements.at(-1), new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))]);
    if (seed !== null && draw() < 0.15) {
      await killed(env.SANDBOX_PRIME.getByName(name));
      await killed(env.ORDER_BOOK.getByName(symbol));
    }
  }
  await Promise.all(placements);
  // One that the prime broker does not have yet is cancelled with all others at the end, to the same outcome.
  const open = new Set((await openAtPrime()).map(({ clientOrderId }) => clientOrderId));
  for (const [at, { trader, isCancelled }] of plan.entries()) {
    const orderId = orderIds[at] as string;
    if (!isCancelled || !open.has(orderId)) continue;
    const cancelled = persistently(() => book().submit([cancel(traders[trader] as string, orderId)]));
    await Promise.race([cancelled.catch(() => undefined), new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))]);
  }
  faults.plan = { kills: () => false, ledger: () => 'through' };
  await persistently(() => prime().setFaults({ ...NO_FAULTS }));
  // What rests never fills, so it is all that is left; what was told by no webhook is heard by asking.
  await vi.waitFor(
    async () => {
      await persistently(() => book().hearBroker());
      const { liveOrders } = await persistently(() => book().status());
      const open = await openAtPrime();
      expect(open.filter(({ filled }) => filled !== '0')).toEqual([]);
      expect(liveOrders).toBe(open.length);
    },
    { interval: 200 },
  );
  const all = { type: 'mass_cancel', account: null, keyId: null, side: null, reason: 'halt' } as const;
  await persistently(() => book().submit([all]));
  await vi.waitFor(
    async () => {
      await persistently(() => book().hearBroker());
      expect(await persistently(() => book().status())).toMatchObject({ liveOrders: 0 });
    },
    { interval: 200 },
  );
  await settle(symbol);

  const cleared = await balanceOf(BOUNDARY_ACCOUNT.primeClearing, asset);
  const position = await prime().position();
  expect(position.ok && Number(position.value) * 1e8).toBeCloseTo(-cleared.available, 0);
  const breaks = await env.DB.prepare('SELECT count(*) AS count FROM broker_breaks WHERE book = ?1')
    .bind(symbol)
    .first();
  expect(breaks).toEqual({ count: 0 });
  const { results } = await env.DB.prepare(
    'SELECT buy_order, sell_order, price, quantity FROM trades WHERE book = ?1 ORDER BY sequence',
  )
    .bind(symbol)
    .all<{ buy_order: string; sell_order: string; price: number; quantity: number }>();
  const balances = await Promise.all(
    traders.map(async (account) => {
      const [coins, cash] = [await balanceOf(account, asset), await balanceOf(account, USD)];
      expect([coins.held, cash.held]).toEqual([0, 0]);
      return { coins: coins.available, cash: cash.available };
    }),
  );
  const orders = [];
  const trades = [];
  for (const orderId of orderIds) {
    const row = await env.DB.prepare('SELECT status, filled, filled_notional AS notional FROM orders WHERE id = ?1')
      .bind(orderId)
      .first<Outcome['orders'][number]>();
    orders.push(row ?? { status: 'none', filled: 0, notional: 0 });
    const own = results.filter(({ buy_order, sell_order }) => buy_order === orderId || sell_order === orderId);
    trades.push(own.map(({ price, quantity }) => `${quantity} at ${price}`).sort());
  }
  return { balances, orders, trades };

  async function openAtPrime() {
    const open = await persistently(() => prime().openOrders(null));
    return open.ok ? open.value.orders : [];
  }
}

describe('with webhooks doubled, late, lost, overtaken and wrongly signed, and kills of book and prime broker in between', () => {
  test.each(SEEDS)('seed %i: balances, orders and trades are those of a run without faults', async (seed) => {
    const plan = planOf(seed);
    const faulty = await run(`STORM${seed}`, plan, seed);
    // An order that a kill kept from being taken is answered so, and is rejected: it never was.
    const isTaken = (at: number) => !['none', 'rejected'].includes(faulty.orders[at]?.status ?? 'none');
    const without = await run(
      `CALM${seed}`,
      plan.filter((_, at) => isTaken(at)),
      null,
    );
    expect({
      balances: faulty.balances,
      orders: faulty.orders.filter((_, at) => isTaken(at)),
      trades: faulty.trades.filter((_, at) => isTaken(at)),
    }).toEqual(without);
    expect(without.orders.length).toBeGreaterThan(ORDERS / 2);
    expect(without.trades.flat().length).toBeGreaterThan(10);
    await expectRightLedger();
  });
});
