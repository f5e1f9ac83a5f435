import { expect, it } from 'vitest';
import { PRICE_MAX } from '../order-entry/exact-notional.ts';
import { splitPrice } from './split-price.ts';

it('a price follows a split: less for more shares, on the nearest tick', () => {
  expect(splitPrice(10_00, { from: 1, to: 4 }, 1)).toBe(2_50);
  expect(splitPrice(10_00, { from: 2, to: 3 }, 1)).toBe(6_67);
  expect(splitPrice(10_00, { from: 2, to: 3 }, 5)).toBe(6_65);
  expect(splitPrice(10_00, { from: 10, to: 1 }, 5)).toBe(100_00);
  expect(splitPrice(5, { from: 1, to: 2 }, 1)).toBe(3);
});

it('is never less than a tick, nor more than prices may be', () => {
  expect(splitPrice(3, { from: 1, to: 1_000 }, 1)).toBe(1);
  expect(splitPrice(PRICE_MAX - 1, { from: 1_000, to: 1 }, 1)).toBe(PRICE_MAX);
  expect(splitPrice(PRICE_MAX - 1, { from: 1_000, to: 1 }, 100) % 100).toBe(0);
});
