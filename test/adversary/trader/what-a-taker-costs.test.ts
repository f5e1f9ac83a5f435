import { afterEach, describe, expect, test, vi } from 'vitest';
import { ATTRIBUTE } from '../../../domain/orders/eligibility.ts';
import type { PlaceOrder } from '../../../durable-objects/order-book/engine/engine.ts';
import { ExpiryHeap } from '../../../durable-objects/order-book/engine/expiry-heap.ts';
import { OrderTable } from '../../../durable-objects/order-book/engine/fast/order-table.ts';
import { createFastEngine } from '../../../durable-objects/order-book/engine/fast.ts';

afterEach(() => vi.restoreAllMocks());

let orders = 0;

function place(terms: Partial<PlaceOrder>): PlaceOrder {
  orders += 1;
  return {
    type: 'place',
    orderId: `order ${orders}`,
    account: 'somebody',
    keyId: null,
    side: 'sell',
    orderType: 'limit',
    timeInForce: 'GTC',
    quantity: 1,
    price: 100,
    stopPrice: 0,
    expiresAt: 0,
    selfTradePrevention: 'cancel_newest',
    hidden: false,
    displayQuantity: 0,
    attributes: 0,
    requires: 0,
    ...terms,
  };
}

/** Records of orders that are looked at, while something runs. */
function looksDuring(run: () => void): number {
  let looks = 0;
  for (const field of ['requires', 'attributes', 'next', 'remaining', 'party', 'arrival'] as const) {
    const read = OrderTable.prototype[field] as (slot: number) => never;
    vi.spyOn(OrderTable.prototype, field).mockImplementation(function (this: OrderTable, slot: number) {
      looks += 1;
      return read.call(this, slot);
    });
  }
  run();
  vi.restoreAllMocks();
  return looks;
}

describe('orders that a taker cannot meet', () => {
  const abroad = { account: 'abroad', price: 95, requires: ATTRIBUTE.non_us, attributes: ATTRIBUTE.non_us };

  function looksBehind(restricted: number, kind: Partial<PlaceOrder>, taker: Partial<PlaceOrder>): number {
    const engine = createFastEngine();
    for (let at = 0; at < restricted; at++) engine.apply(place({ ...abroad, ...kind }), 1);
    engine.apply(place({ side: kind.side ?? 'sell', quantity: 10, price: kind.side === 'buy' ? 90 : 100 }), 1);
    return looksDuring(() => engine.apply(place({ account: 'here', side: 'buy', ...taker }), 2));
  }

  test.each<[string, Partial<PlaceOrder>, Partial<PlaceOrder>]>([
    ['an order that trades', {}, { timeInForce: 'IOC' }],
    ['one that is post-only', {}, { timeInForce: 'POST_ONLY', price: 99 }],
    ['a fill-or-kill order', {}, { timeInForce: 'FOK', quantity: 11 }],
    ['one that passes hidden orders', { hidden: true }, { timeInForce: 'IOC' }],
    ['one that passes orders of family', { requires: ATTRIBUTE.family, family: ['kin'] }, { timeInForce: 'IOC' }],
    [
      'a seller whose shares are for some buyers alone',
      { side: 'buy', requires: 0, attributes: 0 },
      { side: 'sell', price: 90, timeInForce: 'IOC', requires: ATTRIBUTE.non_us },
    ],
  ])('T-09: cost %s nothing more, however many they are', (_, kind, taker) => {
    const few = looksBehind(10, kind, taker);
    expect(looksBehind(1_000, kind, taker)).toBe(few);
    expect(few).toBeLessThan(100);
  });

  test('T-09: at the price of those that it can meet cost it nothing more either', () => {
    const looks = (restricted: number) => looksBehind(restricted, { price: 100 }, { timeInForce: 'IOC' });
    expect(looks(1_000)).toBe(looks(10));
  });

  test('T-09: are no part of the public book, in which no bid stands at or above an ask', () => {
    const engine = createFastEngine();
    engine.apply(place({ ...abroad, quantity: 10_000 }), 1);
    engine.apply(place({ account: 'here', side: 'buy', quantity: 10, price: 100 }), 2);
    engine.apply(place({ account: 'here too', price: 101 }), 3);
    expect(engine.depth(10)).toEqual({ bids: [[100, 10]], asks: [[101, 1]] });
    const buyer = { account: 'there', side: 'buy', quantity: 1, attributes: ATTRIBUTE.non_us, requires: 0 } as const;
    expect(engine.depthFor(buyer, 10)).toEqual([[95, 10_000]]);
  });

  test('T-09: are public where everybody in the market is what they ask for', () => {
    const engine = createFastEngine();
    engine.apply(place({ requires: ATTRIBUTE.verified_accredited, quantity: 3 }), 1);
    engine.apply(place({ requires: ATTRIBUTE.non_us, price: 99 }), 2);
    expect(engine.depth(10, ATTRIBUTE.verified_accredited).asks).toEqual([[100, 3]]);
  });
});

describe('a fill-or-kill order that cannot be filled', () => {
  function looksThrough(perLevel: number, taker: Partial<PlaceOrder>): number {
    const engine = createFastEngine();
    for (let at = 0; at < 20 * perLevel; at++)
      engine.apply(
        place({ account: `account ${at % 7}`, price: 100 + (at % 20), displayQuantity: at % 3 === 0 ? 1 : 0 }),
        1,
      );
    engine.apply(place({ account: 'own', price: 130 }), 1);
    const fillOrKill = { side: 'buy', timeInForce: 'FOK', price: 200, quantity: 1_000_000 } as const;
    let events: unknown[] = [];
    const looks = looksDuring(() => {
      events = engine.apply(place({ ...fillOrKill, ...taker }), 2);
    });
    expect(events).toMatchObject([{ type: 'rejected', reason: 'fok_not_fillable' }]);
    return looks;
  }

  test('T-13: costs by the levels that it could take, not by their orders', () => {
    expect(looksThrough(500, { account: 'other' })).toBe(looksThrough(5, { account: 'other' }));
  });

  test('T-13: looks at a thousand orders at most where its own account has one on the other side', () => {
    expect(looksThrough(500, { account: 'own' })).toBeLessThan(10_000);
  });
});

describe('orders that expire together', () => {
  test('T-14: are taken in their order with comparisons that grow as n log n', () => {
    const count = 200_000;
    let compared = 0;
    const heap = new ExpiryHeap<{ readonly expiresAt: number; readonly arrival: number; heapIndex: number }>((a, b) => {
      compared += 1;
      return a.arrival - b.arrival;
    });
    for (let arrival = 0; arrival < count; arrival++) heap.add({ expiresAt: 1, arrival, heapIndex: -1 });
    let expected = 0;
    for (let due = heap.due(1); due !== null; due = heap.due(1)) {
      if (due.arrival !== expected++) throw new Error(`${due.arrival} has its turn too early`);
      heap.remove(due);
    }
    expect(expected).toBe(count);
    expect(compared).toBeLessThan(2 * count * Math.log2(count) + 2 * count);
  });

  test('T-14: expire with records read by their number alone, so many a cycle', () => {
    const engine = createFastEngine();
    for (let at = 0; at < 20_000; at++)
      engine.apply(place({ side: 'buy', timeInForce: 'GTD', price: 1 + (at % 100), expiresAt: 5 }), 1);
    const first = looksDuring(() => expect(engine.expire(5, 100)).toHaveLength(200));
    expect(first).toBeLessThan(100 * 200);
  });
});
