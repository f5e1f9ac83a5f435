import { expect, test } from 'vitest';
import { realizedProfit } from './realized-profit.ts';

test('is proceeds after the fee less the cost', () => {
  expect(realizedProfit({ notional: 1_000, fee: 7, cost: 600, rate: null })).toBe(393);
  expect(realizedProfit({ notional: 1_000, fee: 7, cost: 1_600, rate: null })).toBe(-607);
});

test('is in dollars at the rate of the sale, rounded down, however large', () => {
  expect(realizedProfit({ notional: 1_000, fee: 1, cost: 600, rate: { numerator: 11, denominator: 10 } })).toBe(498);
  const rate = { numerator: 10 ** 15 - 1, denominator: 10 ** 15 };
  expect(realizedProfit({ notional: 2 ** 52, fee: 0, cost: 1, rate })).toBe(2 ** 52 - 5 - 1);
});
