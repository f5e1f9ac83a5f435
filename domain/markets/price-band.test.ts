import { expect, test } from 'vitest';
import { NO_PRICES, priceBand, withinBand } from './price-band.ts';

const market = { bandBps: 1_000, referencePrice: 20_000, tickSize: 1 };

test('the price band lies around the reference trade, before the first around the reference price', () => {
  expect(priceBand(market, NO_PRICES)).toEqual({ low: 18_000, high: 22_000 });
  expect(priceBand(market, { reference: 10_005 })).toEqual({ low: 9_005, high: 11_005 });
});

test('its ends are prices of the market, within its width', () => {
  expect(priceBand({ ...market, tickSize: 10 }, { reference: 10_050 })).toEqual({ low: 9_050, high: 11_050 });
  expect(priceBand({ ...market, bandBps: 33, tickSize: 10 }, { reference: 10_050 })).toEqual({
    low: 10_020,
    high: 10_080,
  });
});

test('it reaches a tick to both sides at least, and never below one, so that a cheap asset has another price', () => {
  expect(priceBand({ ...market, bandBps: 1, tickSize: 10 }, { reference: 10_050 })).toEqual({
    low: 10_040,
    high: 10_060,
  });
  const cheap = { bandBps: 2_000, referencePrice: null, tickSize: 100 };
  const of = (reference: number) => priceBand(cheap, { reference });
  expect([100, 200, 400, 500, 600].map(of)).toEqual([
    { low: 100, high: 200 },
    { low: 100, high: 300 },
    { low: 300, high: 500 },
    { low: 400, high: 600 },
    { low: 500, high: 700 },
  ]);
  expect(of(150)).toEqual({ low: 100, high: 200 });
});

test('rules of a book from before have a band of no width there, as their rows were judged', () => {
  expect(priceBand({ bandBps: 2_000, referencePrice: null, tickSize: 100 }, { reference: 400 }, 0)).toEqual({
    low: 400,
    high: 400,
  });
});

test('a market without a width or without any price has no band', () => {
  expect(priceBand({ ...market, bandBps: 0 }, { reference: 20_000 })).toBeNull();
  expect(priceBand({ ...market, referencePrice: null }, NO_PRICES)).toBeNull();
});

test('the band cuts a limit on the side that it reaches to', () => {
  const band = { low: 90, high: 110 };
  expect([withinBand(band, 'buy', 120), withinBand(band, 'buy', 80)]).toEqual([110, 80]);
  expect([withinBand(band, 'sell', 80), withinBand(band, 'sell', 120)]).toEqual([90, 120]);
  expect(withinBand(null, 'buy', 120)).toBe(120);
});
