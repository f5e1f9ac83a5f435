import { expect, test } from 'vitest';
import type { OrderStatus } from '../../../domain/orders/order.ts';
import type { StandingTerms } from '../../../domain/orders/standing-terms.ts';
import type { RouteEvent } from './execution-route.ts';
import { KnownOrders } from './known-orders.ts';

function event(orderId: string, status: OrderStatus, terms: StandingTerms | null = null): RouteEvent {
  const report = { orderId, status, quantity: 1, price: 1, filled: 0, filledNotional: 0, remaining: 1 };
  return {
    route: 'internal',
    account: 'ada',
    symbol: 'ACME-USD',
    report: { ...report, restricted: false, code: null, timestamp: 0 },
    terms,
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

test('X-17: what an order is stays known whatever is reported of it later, of one with a trigger as well', () => {
  const known = new KnownOrders();
  const terms = {
    side: 'sell',
    type: 'limit',
    timeInForce: 'GTC',
    stopPrice: null,
    expiresAt: null,
    clientOrderId: 'mine',
    preIpo: false,
  } as const;
  known.note(event('one', 'open', terms));
  known.note(event('one', 'cancelled'));
  expect(known.find('one', 'ada')?.terms).toEqual(terms);
  known.note(event('two', 'pending_trigger', { ...terms, type: 'stop_loss', stopPrice: 5 }));
  known.note(event('two', 'pending_trigger'));
  expect(known.find('two', 'ada')?.terms).toMatchObject({ type: 'stop_loss', clientOrderId: 'mine' });
  known.note(event('two', 'cancelled', { ...terms, type: 'stop_loss', stopPrice: 6 }));
  expect(known.find('two', 'ada')?.terms?.stopPrice).toBe(6);
});
