import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Database } from '../../../../data/database.ts';
import type { BrokerEvent, BrokerOrder } from '../../../../domain/broker/broker-client.ts';
import { BOUNDARY_ACCOUNT } from '../../../../domain/ledger/boundary-accounts.ts';
import { scaledToDecimal } from '../../../../domain/money/decimal-text.ts';
import { orderBookOf } from '../../../../durable-objects/order-book/api.ts';
import { ScriptedBroker } from '../../../../durable-objects/order-book/routing/scripted-broker.fixtures.ts';
import { balanceOf, place } from '../../fixtures/book-commands.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { createTrader } from '../../fixtures/create-trader.ts';
import { expectRightLedger } from '../../fixtures/expect-right-ledger.ts';
import { random } from '../../fixtures/fault-run.ts';
import { clearFaults, faults } from '../../fixtures/faults.ts';
import { giveHolding } from '../../fixtures/give-balance.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { settle } from '../../fixtures/settle.ts';

const SEEDS = [1, 2, 3];
const ORDERS = 24;
const TRADERS = 3;
const CASH = 1_000_000_00;
const SHARES = 5_000;
const TRIES_MAX = 200;

let db: Database;

beforeAll(async () => {
  db = await migrate();
});

afterEach(() => clearFaults());

/** What an order asks for, and what the market makes of it, whatever else happens. */
interface Scripted {
  readonly trader: number;
  readonly side: 'buy' | 'sell';
  readonly quantity: number;
  readonly price: number;
  readonly executions: readonly { readonly quantity: number; readonly price: number }[];
  /** How what is left ends. */
  readonly end: 'canceled' | 'expired';
}

function scriptOf(seed: number): Scripted[] {
  const draw = random(seed);
  const pick = (count: number) => Math.floor(draw() * count);
  return Array.from({ length: ORDERS }, () => {
    const side = pick(2) === 0 ? 'buy' : 'sell';
    const [quantity, price] = [1 + pick(40), 95_00 + pick(10_00)];
    const executions: Scripted['executions'][number][] = [];
    let left = quantity;
    for (let parts = pick(4); parts > 0 && left > 0; parts--) {
      const part = 1 + pick(left);
      executions.push({ quantity: part, price: side === 'buy' ? price - pick(50) : price + pick(50) });
      left -= part;
    }
    return { trader: pick(TRADERS), side, quantity, price, executions, end: pick(2) === 0 ? 'canceled' : 'expired' };
  });
}

/** Executes each order as the script says, once it has it. With faults, its words come late, twice and in any order, and answers are lost. */
class MarketByScript extends ScriptedBroker {
  readonly #draw: (() => number) | null;
  #kept: BrokerEvent[] = [];

  constructor(scriptOfOrder: (orderId: string) => Scripted, draw: (() => number) | null) {
    super();
    this.#draw = draw;
    this.onOrder = ({ clientOrderId }: BrokerOrder) => {
      const { executions, end, quantity } = scriptOfOrder(clientOrderId);
      let left = quantity;
      for (const [at, part] of executions.entries()) {
        left -= part.quantity;
        this.fill(clientOrderId, String(part.quantity), scaledToDecimal(part.price, 2), `${clientOrderId}-${at}`);
      }
      if (left > 0) this.end(clientOrderId, end);
    };
  }

  override tell(event: BrokerEvent): BrokerEvent {
    if (this.#draw === null) return super.tell(event);
    this.#kept.push(event);
    return event;
  }

  /** Some of what is kept back, or all of it. */
  speak(all: boolean): void {
    const draw = this.#draw;
    if (draw === null) return;
    this.#kept.sort(() => draw() - 0.5);
    const said = this.#kept.splice(0, all ? this.#kept.length : Math.ceil(draw() * this.#kept.length));
    for (const event of said) {
      super.tell(event);
      if (draw() < 0.3) this.#kept.push(event);
    }
    for (const call of ['submit', 'events', 'cancel'] as const) this.lostAnswers.set(call, draw() < 0.2 ? 1 : 0);
  }
}

/** Everything that a run has left: of each account and of each order of the script. */
async function outcomeOf(script: readonly Scripted[], name: string, faultSeed: number | null) {
  const [asset, symbol] = [name.toLowerCase(), `${name}-USD`];
  await createPair(db, name, {
    asset: { category: 'stocks', rail: 'public', executionRoute: 'broker' },
    market: { route: 'broker', referencePrice: 100_00, takerFeeBps: 7 },
  });
  const traders: string[] = [];
  for (let index = 0; index < TRADERS; index++) {
    const { accountId } = await createTrader(db, { cash: CASH });
    await giveHolding({ accountId, asset, lots: [{ quantity: SHARES }] });
    traders.push(accountId);
  }
  const draw = faultSeed === null ? null : random(faultSeed);
  const cleared = await balanceOf(BOUNDARY_ACCOUNT.brokerClearing, 'usd');
  const scripted = new Map<string, Scripted>();
  const broker = new MarketByScript((orderId) => scripted.get(orderId) as Scripted, draw);
  faults.broker = broker;
  if (draw !== null) faults.plan = { kills: () => draw() < 0.02, ledger: () => 'through' };

  const orderIds: string[] = [];
  for (const each of script) {
    for (let tries = 0; ; tries++) {
      if (tries === TRIES_MAX) throw new Error('the order cannot be placed');
      const command = place(traders[each.trader] as string, each.side, each.quantity, each.price);
      scripted.set(command.orderId, each);
      const placed = await untilAnswered(symbol, command);
      if (placed === 'done') {
        orderIds.push(command.orderId);
        break;
      }
    }
    broker.speak(false);
    if (draw !== null && draw() < 0.15)
      await runInDurableObject(env.ORDER_BOOK.getByName(symbol), (_, state) => state.abort('killed by a test')).catch(
        () => undefined,
      );
  }
  clearFaults();
  faults.broker = broker;
  await vi.waitFor(
    async () => {
      broker.speak(true);
      broker.lostAnswers.clear();
      await orderBookOf(env, symbol).hearBroker();
      expect(await orderBookOf(env, symbol).status()).toMatchObject({ liveOrders: 0 });
    },
    { interval: 100 },
  );
  await settle(symbol);

  const orders = [];
  const trades = [];
  for (const [at, orderId] of orderIds.entries()) {
    orders.push(
      await env.DB.prepare('SELECT filled, filled_notional, fee, status, reserve FROM orders WHERE id = ?1')
        .bind(orderId)
        .first(),
    );
    const { results } = await env.DB.prepare(
      'SELECT price, quantity, notional FROM trades WHERE buy_order = ?1 OR sell_order = ?1 ORDER BY price, quantity',
    )
      .bind(orderId)
      .all();
    trades.push({ at, results });
  }
  const balances = [];
  for (const trader of traders) balances.push(await balanceOf(trader, 'usd'), await balanceOf(trader, asset));
  const paid = (await balanceOf(BOUNDARY_ACCOUNT.brokerClearing, 'usd')).available - cleared.available;
  balances.push({ paid }, await balanceOf(BOUNDARY_ACCOUNT.brokerClearing, asset));
  const breaks = await env.DB.prepare('SELECT * FROM broker_breaks WHERE book = ?1').bind(symbol).all();
  expect(breaks.results).toEqual([]);
  await expectRightLedger();
  return { orders, trades, balances };
}

/** The book's answer to an order, asked again while its object is killed. */
async function untilAnswered(symbol: string, command: ReturnType<typeof place>): Promise<string | undefined> {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    try {
      return (await orderBookOf(env, symbol).submit([command]))[0]?.type;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
  return undefined;
}

describe('the same orders at the same market', () => {
  test.each(SEEDS)(
    'seed %i: with reports late, doubled and out of order, answers lost and the book killed, everything ends as without',
    async (seed) => {
      const script = scriptOf(seed);
      const plain = await outcomeOf(script, `PLAIN${seed}`, null);
      const faulty = await outcomeOf(script, `FAULTY${seed}`, 1_000 + seed);
      expect(plain.trades.some(({ results }) => results.length > 0)).toBe(true);
      expect(faulty).toEqual(plain);
    },
  );
});
