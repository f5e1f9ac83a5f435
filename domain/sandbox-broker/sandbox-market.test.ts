import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { BrokerEvent, BrokerExecution, BrokerOrderTerms } from '../broker/broker-client.ts';
import { decimalToScaled } from '../money/decimal-text.ts';
import { displayedBooks } from './displayed-books.ts';
import type { SandboxFaults } from './faults.ts';
import { bestQuote } from './market-data.ts';
import type { PriceProcess } from './price-process.ts';
import { NEW_MARKET, SandboxMarket } from './sandbox-market.ts';
import type { SandboxOrder } from './sandbox-order.ts';
import { priceProcessOf } from './symbols.ts';

const START_MS = Date.UTC(2026, 10, 20, 15);
const APPLE = priceProcessOf('AAPL') as PriceProcess;
const SHARE = 10_000;

const scaled = (text: string) => {
  const read = decimalToScaled(text, 4);
  if (!read.ok) throw new Error(`${text} is no decimal`);
  return read.value;
};
const dollars = (price: number) => String(price / 10_000);

const isExecution = (event: BrokerEvent): event is BrokerExecution =>
  event.type === 'fill' || event.type === 'partial_fill';
const filledOf = (events: readonly BrokerEvent[]) =>
  events.filter(isExecution).reduce((total, { quantity }) => total + scaled(quantity), 0);

const order = (terms: Partial<BrokerOrderTerms> = {}): BrokerOrderTerms => ({
  clientOrderId: 'one',
  symbol: 'AAPL',
  side: 'buy',
  type: 'market',
  timeInForce: 'ioc',
  quantity: '100',
  limitPrice: null,
  stopPrice: null,
  ...terms,
});

/** A market with its storage: it may be lost and opened again from what it last said. */
class Stored {
  market: SandboxMarket;
  readonly events: BrokerEvent[] = [];
  readonly orders = new Map<string, SandboxOrder>();
  readonly #faults: SandboxFaults | null;

  constructor(faults: SandboxFaults | null = null) {
    this.#faults = faults;
    this.market = new SandboxMarket('AAPL', APPLE, NEW_MARKET, [], faults);
    this.at(START_MS);
  }

  at(now_ms: number): this {
    this.market.advance(now_ms);
    return this.#keep();
  }

  submit(terms: Partial<BrokerOrderTerms>): this {
    const answer = this.market.submit(order(terms));
    if (!answer.ok) throw new Error(answer.error.detail);
    return this.#keep();
  }

  restart(): this {
    const open = [...this.orders.values()].filter(({ status }) => status === 'open');
    open.sort((a, b) => a.sequence - b.sequence);
    this.market = new SandboxMarket(
      'AAPL',
      APPLE,
      structuredClone(this.market.state),
      structuredClone(open),
      this.#faults,
    );
    return this;
  }

  order(id = 'one'): SandboxOrder {
    const found = this.orders.get(id);
    if (found === undefined) throw new Error(`no order ${id}`);
    return found;
  }

  #keep(): this {
    const { orders, events } = this.market.takeChanges();
    for (const each of orders) this.orders.set(each.terms.clientOrderId, each);
    this.events.push(...events);
    return this;
  }
}

const quoteAt = (at_ms: number) => bestQuote(displayedBooks(APPLE, at_ms));

describe('an order', () => {
  test('at market is split over venues and filled from what they display, once its slices have arrived', () => {
    const stored = new Stored().submit({ quantity: '5000' });
    expect(stored.events).toEqual([]);
    stored.at(START_MS + 5_000);
    const executions = stored.events.filter(isExecution);
    expect(filledOf(executions)).toBe(5_000 * SHARE);
    expect(new Set(executions.map(({ venue }) => venue)).size).toBeGreaterThan(3);
    expect(executions.at(-1)?.type).toBe('fill');
    expect(executions.slice(0, -1).every(({ type }) => type === 'partial_fill')).toBe(true);
    expect(new Set(executions.map(({ executionId }) => executionId)).size).toBe(executions.length);
    expect(Math.min(...executions.map(({ price }) => scaled(price)))).toBeGreaterThanOrEqual(quoteAt(START_MS).ask);
    expect(stored.order()).toMatchObject({ status: 'filled', filled: 5_000 * SHARE });
    expect(stored.market.state.position).toBe(5_000 * SHARE);
  });

  test('reports to each venue what it was sent and what it filled', () => {
    const stored = new Stored().submit({ quantity: '5000' }).at(START_MS + 5_000);
    for (const [venue, report] of Object.entries(stored.order().venues)) {
      expect(report.filled).toBe(
        filledOf(stored.events.filter((event) => isExecution(event) && event.venue === venue)),
      );
      expect(report.filled).toBeLessThanOrEqual(report.sent);
    }
  });

  test('that is immediate or cancel ends with what its limit did not reach', () => {
    const limit = quoteAt(START_MS).ask;
    const stored = new Stored();
    stored.submit({ type: 'limit', limitPrice: dollars(limit), quantity: '900000' }).at(START_MS + 10_000);
    expect(stored.order().status).toBe('canceled');
    expect(stored.order().filled).toBeGreaterThan(0);
    expect(stored.events.at(-1)).toMatchObject({ type: 'done', reason: 'canceled', detail: 'unfilled' });
    const done = stored.events.at(-1) as BrokerEvent & { type: 'done' };
    expect(scaled(done.filled)).toBe(filledOf(stored.events));
    for (const { price } of stored.events.filter(isExecution)) expect(scaled(price)).toBeLessThanOrEqual(limit);
  });

  test('that must fill whole fills whole or not at all', () => {
    const stored = new Stored();
    stored.submit({ clientOrderId: 'all', timeInForce: 'fok', quantity: '2000' });
    stored.submit({ clientOrderId: 'none', timeInForce: 'fok', quantity: '900000' }).at(START_MS + 1_000);
    expect(stored.order('all')).toMatchObject({ status: 'filled', filled: 2_000 * SHARE });
    expect(stored.order('none')).toMatchObject({ status: 'canceled', filled: 0 });
  });

  test('with a limit away from the market rests until the market comes to it', () => {
    const limitPrice = dollars(quoteAt(START_MS).bid - 1_000);
    const stored = new Stored().submit({ type: 'limit', timeInForce: 'gtc', limitPrice }).at(START_MS + 3_000);
    expect(stored.order()).toMatchObject({ status: 'open', filled: 0 });
    stored.at(START_MS + 20 * 3_600_000);
    expect(stored.order().status).toBe('filled');
    for (const { price } of stored.events.filter(isExecution))
      expect(scaled(price)).toBeLessThanOrEqual(scaled(limitPrice));
  });

  test('that rests at the best price is met in parts', () => {
    const limitPrice = dollars(quoteAt(START_MS).ask - 100);
    const stored = new Stored();
    stored.submit({ type: 'limit', timeInForce: 'gtc', limitPrice, quantity: '4000' }).at(START_MS + 120_000);
    const executions = stored.events.filter(isExecution);
    expect(executions.length).toBeGreaterThan(1);
    expect(executions.every(({ at_ms }, at) => at_ms >= (executions[at - 1]?.at_ms ?? 0))).toBe(true);
  });

  test('with a stop does nothing before the market reaches it', () => {
    const { ask, bid } = quoteAt(START_MS);
    const stored = new Stored();
    stored.submit({ clientOrderId: 'near', type: 'stop', stopPrice: dollars(ask - 5_000), timeInForce: 'gtc' });
    stored.submit({ clientOrderId: 'far', type: 'stop', stopPrice: dollars(ask * 2), timeInForce: 'gtc' });
    const sell = { side: 'sell', type: 'stop', timeInForce: 'gtc' } as const;
    stored.submit({ ...sell, clientOrderId: 'sell', stopPrice: dollars(bid + 5_000) }).at(START_MS + 500);
    expect(stored.events).toEqual([]);
    stored.at(START_MS + 10_000);
    expect([stored.order('near').status, stored.order('far').status, stored.order('sell').status]).toEqual([
      'filled',
      'open',
      'filled',
    ]);
  });

  test.each([
    { quantity: '0' },
    { quantity: '1000001' },
    { quantity: '0.00001' },
    { quantity: 'ten' },
    { limitPrice: '10' },
    { type: 'limit' as const },
    { type: 'limit' as const, limitPrice: '10.001' },
    { type: 'stop' as const },
    { clientOrderId: 'x'.repeat(49) },
  ])('with terms that cannot be is refused: %j', (terms) => {
    const { market } = new Stored();
    expect(market.submit(order(terms))).toMatchObject({ ok: false, error: { code: 'invalid_order' } });
    expect(market.openOrders.size).toBe(0);
  });
});

describe('a cancel', () => {
  const resting = () => {
    const limitPrice = dollars(quoteAt(START_MS).bid - 30_000);
    return new Stored().submit({ type: 'limit', timeInForce: 'gtc', limitPrice }).at(START_MS + 1_500);
  };

  test('ends an order that rests, once it has arrived', () => {
    const stored = resting();
    stored.market.cancel(stored.order());
    stored.at(START_MS + 1_501);
    expect(stored.events).toEqual([]);
    stored.at(START_MS + 1_600);
    expect(stored.events).toMatchObject([{ type: 'done', reason: 'canceled', filled: '0' }]);
    expect(stored.market.openOrders.size).toBe(0);
  });

  test('calls back no slice that is under way: the fill comes first', () => {
    const stored = new Stored().submit({ timeInForce: 'gtc', quantity: '100' }).at(START_MS + 1);
    expect(stored.order().slices.length).toBeGreaterThan(0);
    stored.market.cancel(stored.order());
    stored.at(START_MS + 1_000);
    expect(stored.order().status).toBe('filled');
    expect(stored.events.map(({ type }) => type)).not.toContain('done');
  });

  test('that comes after parts have filled ends the rest, and says what had filled', () => {
    const limitPrice = dollars(quoteAt(START_MS).ask);
    const stored = new Stored();
    stored.submit({ type: 'limit', timeInForce: 'gtc', limitPrice, quantity: '900000' }).at(START_MS + 1);
    stored.market.cancel(stored.order());
    stored.at(START_MS + 1_000);
    expect(stored.order()).toMatchObject({ status: 'canceled' });
    const done = stored.events.at(-1) as BrokerEvent & { type: 'done' };
    expect(scaled(done.filled)).toBe(filledOf(stored.events));
    expect(scaled(done.filled)).toBeGreaterThan(0);
  });
});

describe('a replacement', () => {
  const resting = () => {
    const limitPrice = dollars(quoteAt(START_MS).bid - 30_000);
    return new Stored().submit({ type: 'limit', timeInForce: 'gtc', limitPrice }).at(START_MS + 1_500);
  };

  test('gives an order other terms, and is carried out once', () => {
    const stored = resting();
    const limitPrice = dollars(quoteAt(START_MS).ask + 2_000);
    const change = { revision: 1, quantity: '300', limitPrice };
    expect(stored.market.replace(stored.order(), change).ok).toBe(true);
    stored.at(START_MS + 3_000);
    expect(stored.market.openOrders.get('one') ?? stored.order()).toMatchObject({ revision: 1, filled: 300 * SHARE });
    expect(stored.events[0]).toMatchObject({ type: 'replaced', revision: 1, quantity: '300', limitPrice });
    expect(stored.events.filter(({ type }) => type === 'replaced')).toHaveLength(1);
  });

  test('repeated is taken once; one that comes before the last is through is refused', () => {
    const stored = resting();
    const change = { quantity: '300', limitPrice: '100' };
    expect(stored.market.replace(stored.order(), { ...change, revision: 2 }).ok).toBe(true);
    const asked = stored.market.openOrders.get('one') as SandboxOrder;
    expect(stored.market.replace(asked, { ...change, revision: 2 }).ok).toBe(true);
    expect(stored.market.replace(asked, { ...change, revision: 3 }).ok).toBe(false);
    stored.at(START_MS + 3_000);
    expect(stored.events).toMatchObject([{ type: 'replaced', revision: 2, filled: '0' }]);
  });

  test('to no more than has filled is rejected, and the order goes on', () => {
    const limitPrice = dollars(quoteAt(START_MS).ask);
    const stored = new Stored();
    stored.submit({ type: 'limit', timeInForce: 'gtc', limitPrice, quantity: '900000' }).at(START_MS + 900);
    const order = stored.market.openOrders.get('one') as SandboxOrder;
    stored.market.replace(order, { revision: 1, quantity: '1', limitPrice });
    stored.at(START_MS + 2_000);
    expect(stored.events).toContainEqual(expect.objectContaining({ type: 'replace_rejected', revision: 1 }));
    expect(stored.order()).toMatchObject({ status: 'open', revision: 0, replacement: null });
  });
});

test('an order that the venues reject ends so, and holds nothing', () => {
  const faults = { seed: 1, reject_pm: 1_000, lateRequest_ms_max: 0 } as SandboxFaults;
  const stored = new Stored(faults).submit({}).at(START_MS + 1_000);
  expect(stored.events).toMatchObject([{ type: 'done', reason: 'rejected', filled: '0' }]);
  expect(stored.market.state.position).toBe(0);
});

/** Unbounded work would not end in the time that a test has. */
test('a long absence is lived through in bounded work', () => {
  const stored = new Stored();
  for (let at = 0; at < 50; at++) {
    stored.submit({ clientOrderId: `rest-${at}`, type: 'limit', timeInForce: 'gtc', limitPrice: '1' });
  }
  stored.at(START_MS + 400 * 86_400_000);
  expect(stored.market.openOrders.size).toBe(50);
});

/** What clients may do, and when. */
const happenings = fc.array(
  fc.record({
    wait_ms: fc.integer({ min: 0, max: 4_000 }),
    act: fc.constantFrom('submit', 'submit', 'cancel', 'replace', 'wait', 'restart'),
    side: fc.constantFrom('buy' as const, 'sell' as const),
    type: fc.constantFrom('market' as const, 'limit' as const, 'stop' as const, 'stop_limit' as const),
    timeInForce: fc.constantFrom('gtc' as const, 'ioc' as const, 'fok' as const),
    shares: fc.integer({ min: 1, max: 8_000 }),
    ticks: fc.integer({ min: -12, max: 12 }),
    target: fc.nat(8),
  }),
  { minLength: 1, maxLength: 30 },
);

type Happening = typeof happenings extends fc.Arbitrary<infer Each> ? Each : never;

function play(steps: Happening, { restarts, polls }: { restarts: boolean; polls: boolean }): Stored {
  const stored = new Stored();
  let now_ms = START_MS;
  let placed = 0;
  for (const step of steps) {
    if (polls) for (let at = now_ms; at < now_ms + step.wait_ms; at += 333) stored.at(at);
    now_ms += step.wait_ms;
    stored.at(now_ms);
    const target = stored.market.openOrders.get(`o${step.target}`);
    const price = dollars(quoteAt(START_MS).ask + step.ticks * 100);
    if (step.act === 'restart' && restarts) stored.restart();
    if (step.act === 'cancel' && target) stored.market.cancel(target);
    if (step.act === 'replace' && target) {
      const limitPrice = target.terms.limit === null ? null : price;
      const revision = target.revisionAsked + 1;
      stored.market.replace(target, { revision, quantity: String(step.shares), limitPrice });
    }
    if (step.act === 'submit') {
      stored.submit({
        clientOrderId: `o${placed++}`,
        side: step.side,
        type: step.type,
        timeInForce: step.timeInForce,
        quantity: String(step.shares),
        limitPrice: step.type === 'limit' || step.type === 'stop_limit' ? price : null,
        stopPrice: step.type === 'stop' || step.type === 'stop_limit' ? price : null,
      });
    }
  }
  return stored.at(now_ms + 30_000);
}

describe('whatever its clients do', () => {
  test('shares are conserved, each order ends once, and no restart loses an order or a fill', () => {
    fc.assert(
      fc.property(happenings, (steps) => {
        const stored = play(steps, { restarts: true, polls: false });
        let position = 0;
        for (const { terms, status, filled } of stored.orders.values()) {
          const own = stored.events.filter(({ clientOrderId }) => clientOrderId === terms.clientOrderId);
          expect(filledOf(own)).toBe(filled);
          expect(filled).toBeLessThanOrEqual(terms.quantity);
          expect(filled === terms.quantity).toBe(status === 'filled');
          position += terms.side === 'buy' ? filled : -filled;
          const ends = own.filter(({ type }) => type === 'done' || type === 'fill');
          expect(ends).toHaveLength(status === 'open' ? 0 : 1);
          if (ends.length > 0) expect(own.at(-1)).toBe(ends[0]);
        }
        expect(stored.market.state.position).toBe(position);
        expect(new Set(stored.events.map(({ id }) => id)).size).toBe(stored.events.length);
      }),
      { numRuns: 150 },
    );
  });

  test('the same calls at the same times have the same outcome, however often somebody looks', () => {
    fc.assert(
      fc.property(happenings, (steps) => {
        const once = play(steps, { restarts: false, polls: false });
        const often = play(steps, { restarts: false, polls: true });
        expect(often.events).toEqual(once.events);
      }),
      { numRuns: 60 },
    );
  });

  test('no execution is worse than the limit in force', () => {
    fc.assert(
      fc.property(happenings, (steps) => {
        const kept = steps.filter(({ act }) => act !== 'replace');
        const stored = play(kept, { restarts: true, polls: false });
        for (const { terms } of stored.orders.values()) {
          if (terms.limit === null) continue;
          for (const event of stored.events) {
            if (!isExecution(event) || event.clientOrderId !== terms.clientOrderId) continue;
            const worse = (scaled(event.price) - terms.limit) * (terms.side === 'buy' ? 1 : -1);
            expect(worse).toBeLessThanOrEqual(0);
          }
        }
      }),
      { numRuns: 60 },
    );
  });
});
