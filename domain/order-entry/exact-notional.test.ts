import { expect, test } from 'vitest';
import type { Market } from '../markets/market.ts';
import { isNotionalExact } from './exact-notional.ts';

const market = { priceScale: 2, quantityScale: 0, quoteScale: 2, makerFeeBps: 0, takerFeeBps: 0 } as Market;
/** Half of what is exact, at a price of 1. */
const HALF = 2 ** 52;

test('a notional is exact below half of what integers hold, its fee numerator at the higher of the two fees included', () => {
  expect(isNotionalExact(market, 1, HALF - 1)).toBe(true);
  expect(isNotionalExact(market, 1, HALF)).toBe(false);
  for (const fees of [{ makerFeeBps: 100 }, { takerFeeBps: 100 }]) {
    expect(isNotionalExact({ ...market, ...fees }, 1, HALF / 128)).toBe(true);
    expect(isNotionalExact({ ...market, ...fees }, 1, HALF / 64)).toBe(false);
  }
});

test('it is counted in quote units, finer than price and quantity or coarser', () => {
  expect(isNotionalExact({ ...market, quoteScale: 4 }, 1, HALF / 128)).toBe(true);
  expect(isNotionalExact({ ...market, quoteScale: 4 }, 1, HALF / 64)).toBe(false);
  expect(isNotionalExact({ ...market, quantityScale: 2 }, 1, HALF)).toBe(true);
});
