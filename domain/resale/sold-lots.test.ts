import { expect, test } from 'vitest';
import { hasHoldPeriod, soldLots } from './sold-lots.ts';

const lot = (quantity: number) => ({ quantity, restrictionEndsAt: null, offeringType: null });

test('a sale takes the oldest lots, the last one in part', () => {
  const taken = soldLots([lot(4), lot(5), lot(6)], 7).map(({ quantity }) => quantity);
  expect(taken).toEqual([4, 3, 0]);
});

test('a sale of more than there is takes every lot whole', () => {
  expect(soldLots([lot(4), lot(5)], 20).map(({ quantity }) => quantity)).toEqual([4, 5]);
});

test.each([
  ['reg_d_506c', true],
  ['reg_d_506b', true],
  ['reg_cf', true],
  ['reg_s', true],
  ['reg_a', false],
  ['retail', false],
  [null, false],
] as const)('a lot that is sold under %s has a hold period: %s', (regulation, expected) => {
  expect(hasHoldPeriod(regulation)).toBe(expected);
});
