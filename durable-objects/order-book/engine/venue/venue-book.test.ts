import { describe, expect, test } from 'vitest';
import type { EngineEvent, PlaceOrder } from '../engine.ts';
import type { BrokerReport, DoneReport, ExecutionReport, UnfitExecutionReport } from './broker-report.ts';
import { createVenueEngine } from './venue-book.ts';
import type { VenueEngine } from './venue-engine.ts';

const order = (orderId: string, terms: Partial<PlaceOrder> = {}): PlaceOrder => ({
  type: 'place',
  orderId,
  account: 'alice',
  keyId: null,
  side: 'buy',
  orderType: 'limit',
  timeInForce: 'GTC',
  quantity: 10,
  price: 100,
  stopPrice: 0,
  expiresAt: 0,
  selfTradePrevention: 'cancel_newest',
  hidden: false,
  displayQuantity: 0,
  attributes: 0,
  requires: 0,
  ...terms,
});

const execution = (orderId: string, executionId: string, terms: Partial<ExecutionReport> = {}): ExecutionReport => ({
  type: 'execution',
  id: `event-${executionId}`,
  orderId,
  executionId,
  fillsOrder: false,
  venue: 'V1',
  price: 100,
  quantity: 4,
  at: 1,
  ...terms,
});

const unfit = (
  orderId: string,
  executionId: string,
  terms: Partial<UnfitExecutionReport> = {},
): UnfitExecutionReport => ({
  type: 'unfit_execution',
  id: `event-${executionId}`,
  orderId,
  executionId,
  fillsOrder: false,
  quantity: 4,
  detail: '4 at 99.995',
  at: 1,
  ...terms,
});

const done = (orderId: string, filled: number | null, outcome: DoneReport['outcome'] = 'cancelled'): DoneReport => ({
  type: 'done',
  id: `done-${orderId}`,
  orderId,
  outcome,
  filled,
  at: 1,
});

/** An engine that is held to its rules after each call. */
function book(): { engine: VenueEngine; at: (...reports: BrokerReport[]) => EngineEvent[] } {
  const engine = createVenueEngine();
  return {
    engine,
    at: (...reports) => {
      const events = engine.report(reports, null);
      engine.assertInvariants();
      return events;
    },
  };
}

/** With one order that the broker has. */
function taken(terms: Partial<PlaceOrder> = {}) {
  const { engine, at } = book();
  engine.apply(order('o', terms), 1);
  engine.handOver(['o']);
  at({ type: 'taken', orderId: 'o' });
  return { engine, at };
}

const kinds = (events: readonly EngineEvent[]): string[] =>
  events.map((event) => (event.type === 'broken' ? event.break.kind : event.type));

describe('orders of a routed market', () => {
  test('never meet each other: they rest, however they cross', () => {
    const { engine } = book();
    engine.apply(order('b', { price: 200 }), 1);
    const events = engine.apply(order('s', { side: 'sell', account: 'bob', price: 100 }), 1);
    expect(kinds(events)).toEqual(['accepted', 'rested']);
    expect(engine.ordersOf(null)).toEqual(['b', 's']);
    expect(engine.depth(10)).toEqual({ bids: [], asks: [] });
  });

  test('are handed over once, oldest first', () => {
    const { engine } = book();
    for (const id of ['a', 'b', 'c']) engine.apply(order(id), 1);
    expect(engine.waiting(2)).toEqual(['a', 'b']);
    engine.handOver(['a', 'b']);
    expect(engine.waiting(2)).toEqual(['c']);
    expect(engine.handedOver()).toEqual(['a', 'b']);
    engine.report([{ type: 'taken', orderId: 'a' }], null);
    engine.handOver(['a']);
    expect(engine.handedOver()).toEqual(['b']);
    expect(engine.watched(10)).toEqual(['a']);
  });

  test('are found by their account, key and side', () => {
    const { engine } = book();
    engine.apply(order('a', { keyId: 'key' }), 1);
    engine.apply(order('b', { keyId: 'other', side: 'sell' }), 1);
    engine.apply(order('c', { account: 'bob', keyId: 'third', side: 'sell' }), 1);
    expect(engine.ordersOf('alice')).toEqual(['a', 'b']);
    expect(engine.ordersOf('alice', 'key')).toEqual(['a']);
    expect(engine.ordersOf(null, 'third')).toEqual(['c']);
    expect(engine.ordersOf(null, null, 'sell')).toEqual(['b', 'c']);
  });

  test('know how far their broker was read, also when the next reports do not say', () => {
    const { engine } = book();
    engine.report([], 'cursor-1');
    engine.report([], null);
    expect(engine.cursor).toBe('cursor-1');
  });

  test('a refused order id that is live is no second order', () => {
    const { engine } = book();
    engine.apply(order('a'), 1);
    expect(kinds(engine.apply(order('a'), 1))).toEqual(['rejected']);
    expect(engine.size).toBe(1);
  });
});

describe('an execution', () => {
  test('fills in part, then whole: the order leaves', () => {
    const { engine, at } = taken();
    expect(at(execution('o', 'x1'))).toMatchObject([{ type: 'executed', tradeSequence: 1, remaining: 6, quantity: 4 }]);
    expect(engine.lastPrice()).toBe(100);
    expect(at(execution('o', 'x2', { quantity: 6, price: 99 }))).toMatchObject([{ tradeSequence: 2, remaining: 0 }]);
    expect(engine.size).toBe(0);
  });

  test('that comes twice counts once, while the order lives and after it has ended', () => {
    const { at } = taken();
    expect(kinds(at(execution('o', 'x1'), execution('o', 'x1')))).toEqual(['executed']);
    const rest = execution('o', 'x2', { quantity: 6 });
    expect(kinds(at(rest, execution('o', 'x1'), rest))).toEqual(['executed']);
  });

  test('of more than is left, or beyond the limit, is a break and moves nothing', () => {
    const { engine, at } = taken();
    expect(kinds(at(execution('o', 'x1', { price: 101 })))).toEqual(['outside_limit']);
    expect(kinds(at(execution('o', 'x2', { price: 101 })))).toEqual(['outside_limit']);
    expect(kinds(at(execution('o', 'x2', { price: 101 })))).toEqual([]);
    expect(engine.order('o')).toMatchObject({ filled: 0, remaining: 10 });
    expect(kinds(at(execution('o', 'x3', { quantity: 11, price: 99 })))).toEqual(['exceeds_order', 'cancelled']);
  });

  test('of a sell below its limit is a break', () => {
    const { at } = taken({ side: 'sell' });
    expect(kinds(at(execution('o', 'x1', { price: 99 })))).toEqual(['outside_limit']);
    expect(kinds(at(execution('o', 'x2', { price: 101 })))).toEqual(['executed']);
  });

  test('of an order that has ten thousand asks for its end, and beyond twice as many it is a break', () => {
    const { engine, at } = taken({ quantity: 30_000 });
    const many = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, index) => execution('o', `x${from + index}`, { quantity: 1 }));
    engine.report(many(1, 10_000), null);
    expect(engine.isEndWanted('o')).toBe(false);
    expect(kinds(at(execution('o', 'x10000', { quantity: 1 })))).toEqual(['cancel_wanted', 'executed']);
    engine.report(many(10_001, 20_001), null);
    expect(engine.order('o')).toMatchObject({ filled: 20_000, remaining: 10_000 });
    const beyond = execution('o', 'x20001', { quantity: 1 });
    expect(kinds(at(beyond, execution('o', 'x1', { quantity: 1 }), beyond))).toEqual([
      'too_many_executions',
      'too_many_executions',
    ]);
    expect(at(done('o', 20_005))).toMatchObject([{ type: 'cancelled', reason: 'broker', remaining: 10_000 }]);
  });

  test('of an order that has ended, or that nobody knows, is a break and never lost', () => {
    const { at } = taken();
    expect(kinds(at(done('o', 0), execution('o', 'late')))).toEqual(['cancelled', 'order_ended']);
    expect(kinds(at(execution('stranger', 'x')))).toEqual(['unknown_order']);
  });
});

describe('an execution that is known', () => {
  const FIRST = { side: 'buy', price: 100, quantity: 4 } as const;

  test.each([
    ['price', { price: 99 }],
    ['quantity', { quantity: 3 }],
    ['side', { side: 'sell' }],
  ] as const)('and is told with another %s is a break with both terms, and moves nothing', (_, said) => {
    const { engine, at } = taken();
    at(execution('o', 'x'));
    const before = engine.stateHash();
    const differs = { kind: 'execution_differs', executionId: 'x', known: FIRST, price: 100, quantity: 4, ...said };
    expect(at(execution('o', 'x', said))).toMatchObject([{ type: 'broken', break: differs }]);
    expect(engine.order('o')).toMatchObject({ filled: 4, remaining: 6 });
    expect(createVenueEngine(engine.snapshot(), engine.routing()).stateHash()).toBe(engine.stateHash());
    expect(engine.stateHash()).not.toBe(before);
    expect(engine.routing().orders).toMatchObject([{ executions: [['x', 'buy', 100, 4]] }]);
  });

  test('and is told alike, with its side or without, is a repetition', () => {
    const { at } = taken();
    at(execution('o', 'x'));
    expect(at(execution('o', 'x', { side: 'buy' }), execution('o', 'x', { venue: null, at: 9 }))).toEqual([]);
    at(execution('o', 'wrong', { side: 'sell' }));
    expect(at(execution('o', 'wrong', { side: 'sell' }), execution('o', 'wrong'))).toEqual([]);
  });

  test('and was refused is held to what was said first, too', () => {
    const { at } = taken();
    expect(kinds(at(unfit('o', 'x', { quantity: null })))).toEqual(['not_exact']);
    expect(at(unfit('o', 'x', { quantity: null, detail: '1.5 at 99' }))).toEqual([]);
    expect(at(execution('o', 'x'))).toMatchObject([
      { break: { kind: 'execution_differs', price: 100, quantity: 4, known: { price: null, quantity: null } } },
    ]);
    at(execution('o', 'y'));
    expect(at(unfit('o', 'y'))).toMatchObject([{ break: { kind: 'execution_differs', known: { price: 100 } } }]);
  });

  test('of an order that has ended is held to it as well, also by a book that was restored', () => {
    const { engine, at } = taken();
    at(execution('o', 'x', { quantity: 10 }));
    expect(engine.size).toBe(0);
    const restored = createVenueEngine(engine.snapshot(), engine.routing());
    expect(restored.report([execution('o', 'x', { quantity: 10 })], null)).toEqual([]);
    expect(kinds(restored.report([execution('o', 'x')], null))).toEqual(['execution_differs']);
  });

  test('and is told otherwise twice under one id of the broker is two breaks', () => {
    const { at } = taken();
    at(execution('o', 'x'));
    const told = at(execution('o', 'x', { price: 99 }), execution('o', 'x', { price: 98 }));
    const ids = told.map((event) => (event.type === 'broken' ? event.break.id : null));
    expect(new Set(ids).size).toBe(2);
    expect(at(execution('o', 'x', { price: 99 }))).toMatchObject([{ break: { id: ids[0] } }]);
  });

  test('ends no order by what it says otherwise', () => {
    const { engine, at } = taken();
    at(execution('o', 'x'));
    at(execution('o', 'x', { price: 99, fillsOrder: true }));
    expect(engine.watched(10)).toEqual(['o']);
  });
});

describe('other terms', () => {
  const amend = (quantity: number, price: number, unfilledOnly = false) =>
    ({ type: 'amend', orderId: 'o', quantity, price, unfilledOnly, requires: 0 }) as const;
  const replaced = (revision: number, filled: number | null): BrokerReport => ({
    type: 'replaced',
    id: `replaced-${revision}`,
    orderId: 'o',
    revision,
    filled,
    at: 1,
  });
  const kept = (revision: number): BrokerReport => ({
    type: 'replace_rejected',
    id: `kept-${revision}`,
    orderId: 'o',
    revision,
    at: 1,
  });
  const any = () => true;

  test('are there at once while nothing was sent, and wanted of the broker after it', () => {
    const { engine } = book();
    engine.apply(order('o'), 1);
    expect(engine.apply(amend(12, 101), 1)).toMatchObject([
      { type: 'amended', quantity: 12, price: 101, remaining: 12 },
    ]);
    engine.handOver(['o']);
    expect(engine.apply(amend(14, 102), 1)).toMatchObject([{ type: 'replace_wanted', revision: 1, quantity: 14 }]);
    expect(engine.order('o')).toMatchObject({ quantity: 12, price: 101 });
    expect(engine.replacementsWanted(10, any)).toEqual([]);
    engine.report([{ type: 'taken', orderId: 'o' }], null);
    expect(engine.replacementsWanted(10, any)).toEqual(['o']);
    engine.assertInvariants();
  });

  test('are given once, under their revision', () => {
    const { engine, at } = taken();
    engine.apply(amend(5, 90), 1);
    expect(kinds(at(replaced(2, 0)))).toEqual(['unknown_replacement']);
    expect(at(replaced(1, 0))).toMatchObject([{ type: 'replaced', quantity: 5, price: 90, limit: 90, remaining: 5 }]);
    expect(at(replaced(1, 0))).toEqual([]);
    expect(engine.replacementsWanted(10, any)).toEqual([]);
    expect(kinds(at(execution('o', 'x', { price: 91 })))).toEqual(['outside_limit']);
  });

  test('or the former ones execute until it is known which, each as it stands', () => {
    const { engine, at } = taken();
    engine.apply(amend(5, 150), 1);
    expect(kinds(at(execution('o', 'x1', { price: 150 })))).toEqual(['executed']);
    expect(kinds(at(execution('o', 'x2', { price: 150, quantity: 2 })))).toEqual(['exceeds_order']);
    expect(kinds(at(execution('o', 'x3', { price: 151, quantity: 1 })))).toEqual(['outside_limit']);
    expect(kinds(at(execution('o', 'x4', { price: 100, quantity: 2 })))).toEqual(['executed']);
  });

  test('of more than was executed before raise the quantity', () => {
    const { engine, at } = taken();
    engine.apply(amend(20, 100), 1);
    expect(kinds(at(execution('o', 'x1', { quantity: 10 })))).toEqual(['executed']);
    expect(engine.order('o')).toMatchObject({ quantity: 10, filled: 10, remaining: 10 });
    expect(kinds(at(execution('o', 'x2', { quantity: 4 })))).toEqual(['raised', 'executed']);
    expect(kinds(at(replaced(1, 3), execution('o', 'x3', { quantity: 6 })))).toEqual(['replaced', 'executed']);
    expect(engine.size).toBe(0);
  });

  test('that the broker keeps from an order that has filled leave it filled', () => {
    const { engine, at } = taken();
    engine.apply(amend(20, 100), 1);
    expect(kinds(at(execution('o', 'x1', { quantity: 10, fillsOrder: true })))).toEqual(['executed']);
    expect(engine.size).toBe(1);
    expect(at(kept(1))).toMatchObject([{ type: 'replace_rejected', price: 100, remaining: 0 }]);
    expect(engine.size).toBe(0);
  });

  test('that have filled before they are heard leave nothing', () => {
    const { engine, at } = taken();
    engine.apply(amend(4, 100), 1);
    expect(kinds(at(execution('o', 'x1', { fillsOrder: true })))).toEqual(['executed']);
    expect(at(replaced(1, 0))).toMatchObject([{ type: 'replaced', quantity: 4, remaining: 0 }]);
    expect(engine.size).toBe(0);
  });

  test('at a lower price leave room for as many executions at the former one as came before them', () => {
    const { engine, at } = taken();
    engine.apply(amend(12, 90), 1);
    expect(at(replaced(1, 3))).toMatchObject([{ price: 90, limit: 100 }]);
    expect(kinds(at(execution('o', 'x1', { price: 90, quantity: 3 })))).toEqual(['executed']);
    expect(kinds(at(execution('o', 'x2', { price: 100, quantity: 4 })))).toEqual(['outside_limit']);
    expect(engine.apply(amend(20, 80), 1)).toMatchObject([{ type: 'refused', reason: 'change_under_way' }]);
    expect(at(execution('o', 'x3', { price: 100, quantity: 3 }))).toMatchObject([
      { type: 'executed', remaining: 6 },
      { type: 'replaced', price: 90, limit: 90, remaining: 6 },
    ]);
    expect(kinds(at(execution('o', 'x4', { price: 91, quantity: 1 })))).toEqual(['outside_limit']);
  });

  test('at a lower price leave no room for an execution at the former one of more than came before them', () => {
    const { engine, at } = taken();
    engine.apply(amend(12, 90), 1);
    at(replaced(1, 3));
    expect(kinds(at(execution('o', 'x1', { price: 100, quantity: 4 })))).toEqual(['outside_limit']);
    expect(kinds(at(execution('o', 'x2', { price: 100, quantity: 2 })))).toEqual(['executed']);
    expect(kinds(at(execution('o', 'x3', { price: 100, quantity: 2 })))).toEqual(['outside_limit']);
    expect(kinds(at(execution('o', 'x4', { price: 100, quantity: 1 })))).toEqual(['executed', 'replaced']);
    expect(engine.order('o')).toMatchObject({ filled: 3, price: 90 });
  });

  test('with a quantity that does not fit are given, and a break; what may come of the former ones is its whole quantity', () => {
    const { engine, at } = taken();
    engine.apply(amend(6, 90), 1);
    const told = at(replaced(1, null));
    expect(kinds(told)).toEqual(['not_exact', 'replaced']);
    expect(told).toMatchObject([
      { break: { detail: 'revision 1 is carried out with no countable quantity filled' } },
      { quantity: 6, price: 90, limit: 100, remaining: 6 },
    ]);
    expect(kinds(at(execution('o', 'x1', { price: 100, quantity: 6 })))).toEqual(['executed']);
    expect(engine.size).toBe(0);
  });

  test('are refused of an order that the broker has ended, though its executions are on their way', () => {
    const { engine, at } = taken();
    at(done('o', 4));
    expect(engine.apply(amend(12, 90), 1)).toMatchObject([{ type: 'refused', reason: 'end_under_way' }]);
    expect(kinds(at(execution('o', 'x1')))).toEqual(['executed', 'cancelled']);
  });

  test('of what was executed before they were wanted need no room', () => {
    const { engine, at } = taken();
    at(execution('o', 'x1'));
    engine.apply(amend(12, 90), 1);
    at(execution('o', 'x2', { price: 95, quantity: 1 }));
    expect(at(replaced(1, 5))).toMatchObject([{ price: 90, limit: 90 }]);
  });

  test('leave no room for what happened before them and is here, nor for what comes later of that time', () => {
    const { engine, at } = taken();
    engine.apply(amend(12, 90), 1);
    at(execution('o', 'x1', { price: 89, at: 5 }));
    expect(at({ ...replaced(1, 6), at: 7 } as BrokerReport)).toMatchObject([{ price: 90, limit: 100 }]);
    expect(at(execution('o', 'x2', { price: 89, quantity: 2, at: 6 }))).toMatchObject([
      { type: 'executed' },
      { type: 'replaced', price: 90, limit: 90, remaining: 6 },
    ]);
    expect(kinds(at(execution('o', 'x3', { price: 100, quantity: 1, at: 6 })))).toEqual(['outside_limit']);
    expect(kinds(engine.apply(amend(13, 90), 1))).toEqual(['replace_wanted']);
  });

  test('that the broker says otherwise of later are a break', () => {
    const { engine, at } = taken();
    engine.apply(amend(12, 100), 1);
    expect(kinds(at(kept(1), kept(1), replaced(1, 0)))).toEqual(['replace_rejected', 'unknown_replacement']);
    expect(engine.order('o')).toMatchObject({ quantity: 10, remaining: 10 });
    engine.apply(amend(13, 100), 1);
    expect(kinds(at(replaced(2, 0), replaced(1, 0), kept(2)))).toEqual(['replaced', 'unknown_replacement']);
  });

  test('are wanted forty times of one order', () => {
    const { engine, at } = taken();
    for (let revision = 1; revision <= 40; revision++) {
      expect(kinds(engine.apply(amend(10 + revision, 100), 1))).toEqual(['replace_wanted']);
      at(replaced(revision, 0));
    }
    expect(engine.apply(amend(60, 100), 1)).toMatchObject([{ reason: 'changed_too_often' }]);
  });

  test('end with the order, whatever the broker made of them', () => {
    const { engine, at } = taken();
    engine.apply(amend(20, 100), 1);
    expect(kinds(at(done('o', 4), execution('o', 'x1')))).toEqual(['executed', 'cancelled']);
    expect(at(replaced(1, 4), kept(1))).toEqual([]);
    expect(kinds(at({ ...kept(1), orderId: 'stranger' } as BrokerReport))).toEqual(['unknown_order']);
    expect(engine.replacementsWanted(10, any)).toEqual([]);
  });

  test.each([
    ['that has filled in part, where only others are changed', {}, amend(20, 100, true), 'partially_filled'],
    ['of less than has filled', {}, amend(4, 100), 'quantity_not_above_filled'],
    ['that never rests', { timeInForce: 'IOC' }, amend(20, 100), 'handed_over'],
  ] as const)('are refused of an order %s', (_, terms, wanted, reason) => {
    const { engine, at } = taken(terms);
    at(execution('o', 'x1'));
    expect(engine.apply(wanted, 1)).toMatchObject([{ type: 'refused', reason }]);
  });

  test('are refused while others, or the end, are wanted; the same as they are need no broker', () => {
    const { engine } = taken();
    expect(kinds(engine.apply(amend(10, 100), 1))).toEqual(['amended']);
    engine.apply(amend(11, 100), 1);
    expect(engine.apply(amend(12, 100), 1)).toMatchObject([{ reason: 'change_under_way' }]);
    const other = taken().engine;
    other.apply({ type: 'cancel', orderId: 'o' }, 1);
    expect(other.apply(amend(12, 100), 1)).toMatchObject([{ reason: 'end_under_way' }]);
  });

  test('are in a snapshot', () => {
    const { engine, at } = taken();
    engine.apply(amend(20, 90), 1);
    const again = createVenueEngine(engine.snapshot(), JSON.parse(JSON.stringify(engine.routing())));
    again.assertInvariants();
    expect(again.replacementsWanted(10, any)).toEqual(['o']);
    at(replaced(1, 2));
    again.report([replaced(1, 2)], null);
    expect(again.stateHash()).toBe(engine.stateHash());
    const later = createVenueEngine(again.snapshot(), JSON.parse(JSON.stringify(again.routing())));
    expect(later.report([execution('o', 'x', { quantity: 2 })], null)).toEqual(
      at(execution('o', 'x', { quantity: 2 })),
    );
  });
});

describe('the end of an order', () => {
  test('is there at once for one that was never sent', () => {
    const { engine } = book();
    engine.apply(order('o'), 1);
    expect(engine.apply({ type: 'cancel', orderId: 'o' }, 1)).toMatchObject([{ type: 'cancelled', reason: 'user' }]);
    engine.assertInvariants();
  });

  test('is wanted of one that was sent, once, until the broker says it', () => {
    const { engine, at } = taken();
    expect(kinds(engine.apply({ type: 'cancel', orderId: 'o' }, 1))).toEqual(['cancel_wanted']);
    expect(kinds(engine.apply({ type: 'cancel', orderId: 'o' }, 1))).toEqual([]);
    expect(engine.endsWanted(10, () => true)).toEqual(['o']);
    expect(engine.order('o')).toMatchObject({ remaining: 10 });
    expect(at(done('o', 0))).toMatchObject([{ type: 'cancelled', reason: 'user', remaining: 10 }]);
    expect(engine.endsWanted(10, () => true)).toEqual([]);
  });

  test('a cancel that loses the race is filled', () => {
    const { engine, at } = taken();
    engine.apply({ type: 'cancel', orderId: 'o' }, 1);
    expect(at(execution('o', 'x1', { quantity: 10 }))).toMatchObject([{ type: 'executed', remaining: 0 }]);
    expect(engine.endsWanted(10, () => true)).toEqual([]);
  });

  test('that comes before its fills waits for them', () => {
    const { engine, at } = taken();
    expect(kinds(at(done('o', 4)))).toEqual([]);
    expect(engine.size).toBe(1);
    expect(kinds(at(execution('o', 'x1')))).toEqual(['executed', 'cancelled']);
  });

  test('comes although an execution of it was refused', () => {
    const { engine, at } = taken();
    expect(kinds(at(done('o', 4), execution('o', 'x1', { price: 101 })))).toEqual(['outside_limit', 'cancelled']);
    expect(engine.size).toBe(0);
  });

  test('comes once executions of its whole quantity are here, though some were refused and the broker says no more', () => {
    const { engine, at } = taken();
    expect(kinds(at(execution('o', 'x1'), unfit('o', 'x2')))).toEqual(['executed', 'not_exact']);
    const rest = execution('o', 'x3', { price: 101, quantity: 2, fillsOrder: true });
    expect(at(rest)).toMatchObject([{ break: { kind: 'outside_limit' } }, { type: 'cancelled', remaining: 6 }]);
    expect(engine.size).toBe(0);
    expect(kinds(at(unfit('o', 'x2'), rest))).toEqual([]);
  });

  test.each([
    ['it says so', done('o', 4)],
    ['it says so of no countable quantity', done('o', null)],
    ['an execution fills it', unfit('o', 'x2', { quantity: null, fillsOrder: true })],
  ])('is the word of the broker where an execution cannot be counted: %s', (_, end) => {
    const { engine, at } = taken();
    expect(kinds(at(unfit('o', 'x1', { quantity: null })))).toEqual(['not_exact']);
    expect(engine.size).toBe(1);
    expect(kinds(at(end)).at(-1)).toBe('cancelled');
    expect(engine.size).toBe(0);
  });

  test('that the broker has said is not asked for again', () => {
    const { engine, at } = taken();
    at(done('o', 4));
    expect(engine.size).toBe(1);
    expect(engine.watched(10)).toEqual([]);
  });

  test('with less filled than was executed is a break, and ends it', () => {
    const { at } = taken();
    expect(kinds(at(execution('o', 'x1'), done('o', 0)))).toEqual(['executed', 'filled_differs', 'cancelled']);
  });

  test.each([
    [{ timeInForce: 'IOC' }, 'cancelled', 'unfilled'],
    [{}, 'cancelled', 'broker'],
  ] as const)('of %j that nobody asked for has its reason', (terms, outcome, reason) => {
    const { at } = taken(terms);
    expect(at(done('o', 0, outcome))).toMatchObject([{ type: 'cancelled', reason }]);
  });

  test('is a rejection where nothing was filled, and an expiry', () => {
    expect(kinds(taken().at(done('o', 0, 'rejected')))).toEqual(['rejected']);
    expect(kinds(taken().at(execution('o', 'x'), done('o', 4, 'rejected')))).toEqual(['executed', 'cancelled']);
    expect(kinds(taken().at(done('o', 0, 'expired')))).toEqual(['expired']);
  });

  test('that comes twice is known again; of a stranger it is a break', () => {
    const { at } = taken();
    expect(kinds(at(done('o', 0), done('o', 0)))).toEqual(['cancelled']);
    expect(kinds(at(done('stranger', 0)))).toEqual(['unknown_order']);
  });
});

test('a snapshot has the same state and the same future', () => {
  const { engine, at } = taken();
  engine.apply(order('waits', { account: 'bob' }), 1);
  engine.apply(order('handed'), 1);
  engine.handOver(['handed']);
  at(execution('o', 'x1'));
  engine.apply({ type: 'cancel', orderId: 'o' }, 1);
  engine.report([done('handed', 4)], 'cursor-7');
  const again = createVenueEngine(
    JSON.parse(JSON.stringify(engine.snapshot())),
    JSON.parse(JSON.stringify(engine.routing())),
  );
  again.assertInvariants();
  expect(again.stateHash()).toBe(engine.stateHash());
  expect(again.cursor).toBe('cursor-7');
  const future: BrokerReport[] = [execution('o', 'x1'), execution('o', 'x2'), execution('handed', 'y'), done('o', 8)];
  expect(again.report(future, null)).toEqual(engine.report(future, null));
  expect(again.stateHash()).toBe(engine.stateHash());
});

describe('an order that is good until a time', () => {
  const until = (expiresAt: number, terms: Partial<PlaceOrder> = {}) =>
    ({ timeInForce: 'GTD', expiresAt, ...terms }) as const;

  test('and was never sent expires at that time, and not before', () => {
    const { engine } = book();
    engine.apply(order('a', until(100)), 1);
    expect(engine.nextExpiry()).toBe(100);
    expect(engine.expire(99, 10)).toEqual([]);
    expect(engine.expire(100, 10)).toMatchObject([{ type: 'expired', orderId: 'a', remaining: 10 }]);
    engine.assertInvariants();
    expect([engine.size, engine.nextExpiry()]).toEqual([0, null]);
  });

  test('and comes after it is accepted and expires: nothing of it is handed over', () => {
    const { engine } = book();
    expect(kinds(engine.apply(order('a', until(100)), 100))).toEqual(['accepted', 'expired']);
    engine.assertInvariants();
    expect([engine.size, engine.waiting(1), engine.nextExpiry()]).toEqual([0, [], null]);
  });

  test.each(['handed', 'taken'])(
    'and is %s has its end asked for once, and stays until the broker has ended it',
    (stage) => {
      const { engine, at } = book();
      engine.apply(order('o', until(100)), 1);
      engine.handOver(['o']);
      if (stage === 'taken') at({ type: 'taken', orderId: 'o' });
      expect(engine.expire(100, 10)).toMatchObject([{ type: 'cancel_wanted', orderId: 'o', reason: 'expired' }]);
      engine.assertInvariants();
      expect([engine.isEndWanted('o'), engine.nextExpiry(), engine.expire(200, 10)]).toEqual([true, null, []]);
      expect(kinds(at(execution('o', 'x1')))).toEqual(['executed']);
      expect(at(done('o', 4))).toMatchObject([{ type: 'expired', orderId: 'o', remaining: 6 }]);
    },
  );

  test('is filled where the broker filled it before it could end it', () => {
    const { engine, at } = taken(until(100));
    engine.expire(100, 10);
    expect(kinds(at(execution('o', 'x1', { quantity: 10, fillsOrder: true })))).toEqual(['executed']);
    expect([engine.size, engine.nextExpiry()]).toEqual([0, null]);
  });

  test('is cancelled where that was wanted first, and expired where its time came first', () => {
    const first = taken(until(100));
    first.engine.apply({ type: 'cancel', orderId: 'o' }, 99);
    expect(first.engine.expire(100, 10)).toEqual([]);
    expect(first.at(done('o', 0))).toMatchObject([{ type: 'cancelled', reason: 'user' }]);
    const second = taken(until(100));
    second.engine.expire(100, 10);
    expect(second.engine.apply({ type: 'cancel', orderId: 'o' }, 101)).toEqual([]);
    expect(kinds(second.at(done('o', 0)))).toEqual(['expired']);
  });

  test('does not expire once the broker has ended it, while fills of it are on their way', () => {
    const { engine, at } = taken(until(100));
    at(done('o', 4));
    expect([engine.nextExpiry(), engine.expire(100, 10)]).toEqual([null, []]);
    expect(at(execution('o', 'x1'))[1]).toMatchObject({ type: 'cancelled', reason: 'broker' });
  });

  test('keeps its time when its terms change, and takes no others once it is over', () => {
    const { engine, at } = taken(until(100));
    const amendment = {
      type: 'amend',
      orderId: 'o',
      quantity: 8,
      price: 90,
      unfilledOnly: false,
      requires: 0,
    } as const;
    engine.apply(amendment, 2);
    at({ type: 'replaced', id: 'r1', orderId: 'o', revision: 1, filled: 0, at: 3 });
    expect(engine.nextExpiry()).toBe(100);
    engine.expire(100, 10);
    expect(engine.apply({ ...amendment, price: 95 }, 101)).toMatchObject([
      { type: 'refused', reason: 'end_under_way' },
    ]);
  });

  test('expires with others by time, then by arrival, so many at a time', () => {
    const { engine } = book();
    engine.apply(order('late', until(120)), 1);
    for (const id of ['first', 'second']) engine.apply(order(id, until(110)), 1);
    engine.apply(order('early', until(100)), 1);
    engine.apply(order('gone', until(90)), 1);
    engine.apply({ type: 'cancel', orderId: 'gone' }, 1);
    const ids = (events: readonly EngineEvent[]) => events.map((event) => ('orderId' in event ? event.orderId : null));
    expect(ids(engine.expire(200, 2))).toEqual(['early', 'first']);
    expect(engine.nextExpiry()).toBe(110);
    expect(ids(engine.expire(200, 2))).toEqual(['second', 'late']);
  });

  test('is the same to a book that starts from its snapshot', () => {
    const { engine, at } = taken(until(100));
    engine.apply(order('waits', until(90)), 1);
    engine.apply(order('ending', until(80)), 1);
    engine.handOver(['ending']);
    at(done('ending', 4));
    engine.apply(order('over', until(5)), 1);
    engine.handOver(['over']);
    engine.expire(5, 10);
    const restored = createVenueEngine(engine.snapshot(), engine.routing());
    restored.assertInvariants();
    expect([restored.stateHash(), restored.nextExpiry()]).toEqual([engine.stateHash(), 90]);
    expect(restored.expire(100, 10)).toEqual(engine.expire(100, 10));
    expect(restored.report([done('over', 0)], null)).toMatchObject([{ type: 'expired', orderId: 'over' }]);
  });
});
