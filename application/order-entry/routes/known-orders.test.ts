import { expect, test } from 'vitest';
import type { OrderStatus } from '../../../domain/orders/order.ts';
import type { RouteEvent } from './execution-route.ts';
import { KnownOrders } from './known-orders.ts';

function event(orderId: string, status: OrderStatus): RouteEvent {
  const report = { orderId, status, quantity: 1, price: 1, filled: 0, filledNotional: 0, remaining: 1 };
  return {
    route: 'internal',
    account: 'ada',
    symbol: 'ACME-USD',
    report: { ...report, restricted: false, code: null, timestamp: 0 },
  };
}

test('an order that its route reports is known to its account alone', () => {
  const known = new KnownOrders();
  known.note(event('one', 'open'));
  expect(known.find('one', 'ada')).toMatchObject({ route: 'internal', symbol: 'ACME-USD' });
  expect(known.find('one', 'ben')).toBeNull();
  expect(known.find('two', 'ada')).toBeNull();
});

test('an order that has ended is known on', () => {
  const known = new KnownOrders();
  known.note(event('one', 'open'));
  known.note(event('one', 'cancelled'));
  expect(known.find('one', 'ada')).toMatchObject({ route: 'internal', symbol: 'ACME-USD' });
});

test('of too many the one that was reported longest ago is forgotten', () => {
  const known = new KnownOrders(2);
  known.note(event('one', 'open'));
  known.note(event('two', 'open'));
  known.note(event('one', 'partially_filled'));
  known.note(event('three', 'open'));
  expect(['one', 'two', 'three'].map((id) => known.find(id, 'ada') !== null)).toEqual([true, false, true]);
});
