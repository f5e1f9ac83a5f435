import { expect, test } from 'vitest';
import type { Side } from '../../../../domain/orders/order.ts';
import type { EngineCommand, PlaceOrder } from '../engine.ts';
import { createIndicationEngine } from './indication-book.ts';

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

test('a snapshot has the same state and the same future', () => {
  const { engine } = bookOf(place('a'), place('b'), place('c'), amend('a', 120));
  const again = createIndicationEngine(JSON.parse(JSON.stringify(engine.snapshot())));
  expect(again.stateHash()).toBe(engine.stateHash());
  for (const book of [engine, again]) book.apply(amend('b', 130), 2);
  expect(again.stateHash()).toBe(engine.stateHash());
  expect(again.ordersOf(null)).toEqual(['c', 'a', 'b']);
});
