import { describe, expect, test } from 'vitest';
import type { Side } from '../../../../domain/orders/order.ts';
import type { EngineCommand, PlaceOrder } from '../engine.ts';
import { type Conversion, createIndicationEngine } from './indication-book.ts';

const place = (orderId: string, side: Side = 'buy', terms: Partial<PlaceOrder> = {}): PlaceOrder => ({
  type: 'place',
  orderId,
  account: `${orderId}-owner`,
  keyId: null,
  side,
  orderType: 'limit',
  timeInForce: 'GTC',
  quantity: 100,
  price: 50,
  stopPrice: 0,
  expiresAt: 0,
  selfTradePrevention: 'cancel_newest',
  hidden: false,
  displayQuantity: 0,
  attributes: 0,
  requires: 0,
  ...terms,
});
const amend = (orderId: string, quantity: number, price = 50): EngineCommand => ({
  type: 'amend',
  orderId,
  quantity,
  price,
  unfilledOnly: true,
  requires: 0,
});

function bookOf(...commands: EngineCommand[]) {
  const engine = createIndicationEngine();
  const events = commands.flatMap((command) => engine.apply(command, 1));
  engine.assertInvariants();
  return { engine, events };
}

test('orders that could meet rest beside each other, and nothing of them is shown', () => {
  const { engine, events } = bookOf(place('a', 'sell', { price: 10 }), place('b'), place('c', 'sell', { price: 50 }));
  expect(events.map(({ type }) => type)).not.toContain('filled');
  expect(engine.size).toBe(3);
  expect(engine.depth(10)).toEqual({ bids: [], asks: [] });
  expect(engine.depthFor({ side: 'buy', quantity: 1, attributes: 0, requires: 0, account: 'x' }, 1)).toEqual([]);
});

test('interest in less keeps its place in time; in more, or at another price, it is new', () => {
  const first = (change: EngineCommand) => bookOf(place('a'), place('b'), change).engine.ordersOf(null)[0];
  expect([first(amend('a', 90)), first(amend('a', 100)), first(amend('a', 110)), first(amend('a', 90, 49))]).toEqual([
    'a',
    'a',
    'b',
    'b',
  ]);
  expect(bookOf(amend('nobody', 1)).events).toMatchObject([{ type: 'refused', reason: 'not_found' }]);
});

test('a cancel says who ended it', () => {
  const lapse: EngineCommand = { type: 'mass_cancel', orderIds: ['b', 'gone'], reason: 'delisted' };
  const { engine, events } = bookOf(place('a'), place('b'), { type: 'cancel', orderId: 'a' }, lapse);
  expect(events.slice(-2)).toMatchObject([
    { type: 'cancelled', orderId: 'a', reason: 'user' },
    { type: 'cancelled', orderId: 'b', reason: 'delisted' },
  ]);
  expect(engine.size).toBe(0);
});

test('an id stands once', () => {
  expect(bookOf(place('a'), place('a')).events.at(-1)).toMatchObject({
    type: 'rejected',
    reason: 'duplicate_order_id',
  });
});

test('orders are found by account, key and side, each of them and all at once', () => {
  const [theirs, key] = [{ account: 'ann' }, { account: 'ann', keyId: 'k' }];
  const { engine } = bookOf(
    place('a', 'buy', theirs),
    place('b', 'sell', theirs),
    place('c', 'buy', key),
    place('d', 'sell', key),
    place('e', 'buy', { account: 'bob', keyId: 'k' }),
  );
  expect(engine.ordersOf(null)).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(engine.ordersOf('ann')).toEqual(['a', 'b', 'c', 'd']);
  expect(engine.ordersOf('ann', 'k')).toEqual(['c', 'd']);
  expect(engine.ordersOf('ann', null, 'sell')).toEqual(['b', 'd']);
  expect(engine.ordersOf('ann', 'k', 'buy')).toEqual(['c']);
  expect(engine.ordersOf(null, 'k')).toEqual(['c', 'd', 'e']);
  expect(engine.ordersOf('carol')).toEqual([]);
});

test('a snapshot has the same state and the same future', () => {
  const { engine } = bookOf(place('a'), place('b'), place('c'), amend('a', 120));
  const again = createIndicationEngine(JSON.parse(JSON.stringify(engine.snapshot())));
  expect(again.stateHash()).toBe(engine.stateHash());
  for (const book of [engine, again]) book.apply(amend('b', 130), 2);
  expect(again.stateHash()).toBe(engine.stateHash());
  expect(again.ordersOf(null)).toEqual(['c', 'a', 'b']);
});

describe('a conversion', () => {
  const offered = () => bookOf(place('offer', 'sell', { price: 40, quantity: 150 }), place('a'), place('b')).engine;
  const converted = (change: Partial<Conversion> = {}) => {
    const engine = offered();
    const events = engine.convert({ orderId: 'a', offerId: 'offer', quantity: 80, price: 40, ...change });
    engine.assertInvariants();
    return { engine, events };
  };

  test('fills an indication from the offer, over what it was allotted, at the price of the offer', () => {
    const { engine, events } = converted();
    expect(events).toMatchObject([
      { type: 'amended', orderId: 'a', quantity: 80, price: 40, remaining: 80 },
      { type: 'filled', makerId: 'offer', takerId: 'a', takerSide: 'buy', price: 40, quantity: 80, makerRemaining: 70 },
    ]);
    expect(engine.order('a')).toBeUndefined();
    expect(engine.order('offer')).toMatchObject({ filled: 80, remaining: 70 });
    expect(engine.lastPrice()).toBe(40);
    expect(engine.convert({ orderId: 'a', offerId: 'offer', quantity: 1, price: 40 })).toMatchObject([
      { type: 'refused' },
    ]);
  });

  test('takes the last of the offer', () => {
    const engine = offered();
    engine.convert({ orderId: 'a', offerId: 'offer', quantity: 100, price: 40 });
    engine.convert({ orderId: 'b', offerId: 'offer', quantity: 50, price: 40 });
    expect(engine.size).toBe(0);
  });

  test.each<[string, Partial<Conversion>]>([
    ['more than is wanted', { quantity: 101 }],
    ['nothing', { quantity: 0 }],
    ['at another price than the offer has', { price: 41 }],
    ['of nobody', { orderId: 'gone' }],
    ['from nothing', { offerId: 'gone' }],
    ['from another indication', { offerId: 'b' }],
    ['of the offer', { orderId: 'offer' }],
  ])('of %s is refused', (_, change) => {
    const { engine, events } = converted(change);
    expect(events).toMatchObject([{ type: 'refused', reason: 'not_found' }]);
    expect(engine.size).toBe(3);
  });

  test('above the limit, beyond the offer, or with oneself is refused', () => {
    const engine = bookOf(
      place('offer', 'sell', { price: 60, quantity: 50 }),
      place('low'),
      place('large', 'buy', { price: 60 }),
      place('own', 'buy', { price: 60, account: 'offer-owner' }),
    ).engine;
    for (const [orderId, quantity] of [
      ['low', 10],
      ['large', 51],
      ['own', 10],
    ] as const)
      expect(engine.convert({ orderId, offerId: 'offer', quantity, price: 60 })).toMatchObject([{ type: 'refused' }]);
  });
});
