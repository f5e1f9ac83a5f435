import { expect, test } from 'vitest';
import { priceBand } from './price-band.ts';

test('the price band lies around the last trade, before the first around the reference price', () => {
  const market = { bandBps: 1_000, referencePrice: 20_000 };
  expect(priceBand(market, null)).toEqual({ low: 18_000, high: 22_000 });
  expect(priceBand(market, 10_005)).toEqual({ low: 9_005, high: 11_005 });
});

test('a market without a width or without any price has no band', () => {
  expect(priceBand({ bandBps: 0, referencePrice: 20_000 }, 20_000)).toBeNull();
  expect(priceBand({ bandBps: 1_000, referencePrice: null }, null)).toBeNull();
});
