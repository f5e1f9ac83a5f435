import { expect, test } from 'vitest';
import type { Market } from '../markets/market.ts';
import { NO_PRICES } from '../markets/price-band.ts';
import type { OrderTerms, Side } from '../orders/order.ts';
import { collarAround, collaredPrice } from './collar.ts';

test.each([
  ['buy', 1_000, 50, 1_050],
  ['buy', 1_001, 50, 1_050],
  ['sell', 1_000, 50, 950],
  ['sell', 1_001, 50, 1_000],
] as const)(
  'a collar lies five percent off on the tick, within: %s at %d, ticks of %d',
  (side, reference, tickSize, collar) => {
    expect(collarAround(reference, side, { tickSize })).toBe(collar);
  },
);

test('a collar is never less than a tick: what costs less than one can still be bought', () => {
  expect(collarAround(10, 'buy', { tickSize: 50 })).toBe(50);
});

test('T-05: with no price to go by, an order without a limit has no collar, a stop neither', () => {
  const market = { tickSize: 50, referencePrice: null, bandBps: 1_000 } as Market;
  const at = (side: Side, stopPrice: number | null) =>
    collaredPrice({ side, price: null, stopPrice } as OrderTerms, market, NO_PRICES);
  for (const side of ['buy', 'sell'] as const) expect([at(side, null), at(side, 1_000)]).toEqual([null, null]);
});

test('a stop has its collar around its stop price, where there is a price to go by', () => {
  const market = { tickSize: 50, referencePrice: 5_000, bandBps: 0 } as Market;
  const at = (side: Side) => collaredPrice({ side, price: null, stopPrice: 1_000 } as OrderTerms, market, NO_PRICES);
  expect([at('buy'), at('sell')]).toEqual([1_050, 950]);
});

test('where nobody agrees on a price, a collar lies around what the stated one has come to since, as by a split', () => {
  const market = { tickSize: 10, referencePrice: 10_000, bandBps: 0 } as Market;
  const split = { ...NO_PRICES, reference: 1_000 };
  const at = (side: Side) => collaredPrice({ side, price: null, stopPrice: null } as OrderTerms, market, split);
  expect([at('buy'), at('sell')]).toEqual([1_050, 950]);
});
