import { expect, test } from 'vitest';
import { EndedOrders } from './ended-orders.ts';
import type { KnownExecution } from './venue-engine.ts';

const ids = (orderId: string, count: number) =>
  Array.from({ length: count }, (_, at): KnownExecution => [`${orderId}.${at}`, 'buy', 1, 1]);

test('the oldest orders are forgotten first, by their number', () => {
  const ended = new EndedOrders();
  for (let at = 0; at <= 10_000; at++) ended.add(`o${at}`, []);
  expect(ended.executionsOf('o0')).toBeUndefined();
  expect(ended.executionsOf('o1')).toEqual([]);
});

test('and by the number of all their executions, also after a restart', () => {
  let ended = new EndedOrders();
  ended.add('a', ids('a', 60_000));
  ended.add('b', ids('b', 40_000));
  ended = new EndedOrders(ended.toArray());
  expect(ended.executionsOf('a')).toHaveLength(60_000);
  ended.add('c', ids('c', 1));
  expect(ended.toArray().map(([orderId]) => orderId)).toEqual(['b', 'c']);
});

test('the latest is remembered whole', () => {
  const ended = new EndedOrders([['a', ids('a', 10)]]);
  ended.add('b', ids('b', 100_001));
  expect(ended.toArray().map(([orderId]) => orderId)).toEqual(['b']);
});
