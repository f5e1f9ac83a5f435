import { expect, test } from 'vitest';
import { EndedOrders } from './ended-orders.ts';

test('the orders that ended last are remembered, ten thousand of them', () => {
  const ended = new EndedOrders(Array.from({ length: 10_000 }, (_, at) => [`o${at}`, []]));
  ended.add('newest', ['x']);
  expect(ended.toArray()).toHaveLength(10_000);
  expect(ended.executionsOf('o0')).toBeUndefined();
  expect(ended.executionsOf('o1')).toEqual([]);
  expect(ended.executionsOf('newest')).toEqual(['x']);
});
