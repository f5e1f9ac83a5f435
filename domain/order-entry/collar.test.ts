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

test('with no price to go by, a market sell takes any from one tick on, and a buy none', () => {
  const market = { tickSize: 50, referencePrice: null, bandBps: 1_000 } as Market;
  const at = (side: Side) => collaredPrice({ side, price: null, stopPrice: null } as OrderTerms, market, NO_PRICES);
  expect([at('sell'), at('buy')]).toEqual([50, null]);
});
