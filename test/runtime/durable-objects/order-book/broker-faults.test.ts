import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Database } from '../../../../data/database.ts';
import { BOUNDARY_ACCOUNT } from '../../../../domain/ledger/boundary-accounts.ts';
import { decimalToScaled } from '../../../../domain/money/decimal-text.ts';
import type { SandboxFaults } from '../../../../domain/sandbox-broker/faults.ts';
import { orderBookOf, type PlaceCommand } from '../../../../durable-objects/order-book/api.ts';
import { sandboxBrokerOf } from '../../../../durable-objects/sandbox-broker/api.ts';
import { balanceOf, cancel, place } from '../../fixtures/book-commands.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { createTrader } from '../../fixtures/create-trader.ts';
import { expectRightLedger } from '../../fixtures/expect-right-ledger.ts';
import { random } from '../../fixtures/fault-run.ts';
import { clearFaults, faults } from '../../fixtures/faults.ts';
import { giveHolding } from '../../fixtures/give-balance.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { settle } from '../../fixtures/settle.ts';

const SEEDS = [1, 2, 3, 4];
const STEPS = 40;
const TRADERS = 3;
const SHARES = 2_000;
/** How long a step waits for its order: one whose book was killed may be answered much later. */
const PATIENCE_MS = 500;
/** Of a call to the book whose object is killed under it. */
const TRIES_MAX = 20;

let db: Database;

beforeAll(async () => {
  db = await migrate();
});

afterEach(() => clearFaults());

/** What goes wrong at the broker: everything, often. */
function faultsOf(seed: number): SandboxFaults {
  return {
    seed,
    reject_pm: 60,
    lateRequest_ms_max: 60,
    duplicate_pm: 250,
    delay_pm: 300,
    delay_ms_max: 300,
    drop_pm: 100,
    recovery_ms: 400,
    lostAnswer_pm: 100,
    awayUntil_ms: 0,
  };
}

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

describe('with reports of the broker late, doubled, lost and out of order, and kills of book and broker in between', () => {
  test.each(SEEDS)(
    'seed %i: positions, fills and ends are those of the broker, and nothing is a break',
    async (seed) => {
      const name = `FAULTS${seed}`;
      const [asset, symbol] = [name.toLowerCase(), `${name}-USD`];
      const broker = () => sandboxBrokerOf(env, name);
      const quote = await broker().quote();
      const last = quote.ok ? decimalToScaled(quote.value.last, 4) : quote;
      if (!last.ok) throw new Error('fixture: the sandbox has no price');
      const around = Math.round(last.value / 100) * 100;
      await createPair(db, name, {
        asset: { category: 'stocks', rail: 'public', executionRoute: 'broker' },
        market: { route: 'broker', priceScale: 4, tickSize: 100, takerFeeBps: 7, referencePrice: around },
      });
      const traders = [];
      for (let index = 0; index < TRADERS; index++) {
        const { accountId } = await createTrader(db, { cash: 1_000_000_000 });
        await giveHolding({ accountId, asset, lots: [{ quantity: SHARES / 2 }, { quantity: SHARES / 2 }] });
        traders.push(accountId);
      }
      expect(await broker().setFaults(faultsOf(seed))).toBe(true);
      const draw = random(seed);
      const pick = (count: number) => Math.floor(draw() * count);
      faults.plan = { kills: () => draw() < 0.02, ledger: () => 'through' };

      const orders: PlaceCommand[] = [];
      for (let step = 0; step < STEPS; step++) {
        const account = traders[pick(TRADERS)] as string;
        const what = pick(10);
        if (what < 7) {
          const side = pick(2) === 0 ? 'buy' : 'sell';
          const price = pick(3) === 0 ? null : around + (pick(9) - 4) * Math.round(around / 100_000) * 100;
          const timeInForce = (['GTC', 'GTC', 'IOC', 'FOK'] as const)[pick(4)] ?? 'GTC';
          const command = place(account, side, 1 + pick(400), price, price === null ? {} : { timeInForce });
          orders.push(command);
          const placed = persistently(async () => orderBookOf(env, symbol).submit([command])).catch(() => undefined);
          await Promise.race([placed, new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))]);
        } else if (what < 9 && orders.length > 0) {
          const { orderId, account: owner } = orders[pick(orders.length)] as PlaceCommand;
          void orderBookOf(env, symbol)
            .submit([cancel(owner, orderId)])
            .catch(() => undefined);
        } else {
          await killed(env.SANDBOX_BROKER.getByName(name));
          await killed(env.ORDER_BOOK.getByName(symbol));
        }
        await new Promise((resolve) => setTimeout(resolve, pick(30)));
      }

      clearFaults();
      await persistently(() => broker().setFaults(null));
      const all = { type: 'mass_cancel', account: null, keyId: null, side: null, reason: 'halt' } as const;
      await persistently(async () => orderBookOf(env, symbol).submit([all]));
      await vi.waitFor(
        async () =>
          expect(await persistently(() => orderBookOf(env, symbol).status())).toMatchObject({ liveOrders: 0 }),
        { interval: 200 },
      );
      await settle(symbol);

      const cleared = await balanceOf(BOUNDARY_ACCOUNT.brokerClearing, asset);
      expect(await broker().position()).toEqual({ ok: true, value: String(-cleared.available) });
      let traded = 0;
      for (const { orderId } of orders) {
        const here = await env.DB.prepare('SELECT filled, status, reserve FROM orders WHERE id = ?1')
          .bind(orderId)
          .first<{ filled: number; status: string; reserve: number }>();
        const there = await broker().order(orderId);
        // What was admitted and never matched was never sent.
        if (there.ok && there.value !== null) {
          expect({ orderId, filled: String(here?.filled ?? 0) }).toEqual({ orderId, filled: there.value.filled });
          expect(here?.status === 'filled').toBe(there.value.status === 'filled');
          traded += here?.filled ?? 0;
        }
        expect(here?.reserve ?? 0).toBe(0);
      }
      expect(traded).toBeGreaterThan(0);
      await expectRightLedger();
    },
  );
});
