import { expect, test } from 'vitest';
import type { BookMarket } from '../markets/market.ts';
import { exposureOf } from './holds.ts';

const market: BookMarket = {
  symbol: 'ACME-USD',
  baseAsset: 'acme',
  quoteAsset: 'usd',
  priceScale: 2,
  quantityScale: 0,
  quoteScale: 2,
  tracksLots: false,
};

test.each([
  [0, 100],
  [100, 0],
])('a sell brings at least its value less the higher of both fees: maker %d, taker %d', (makerFeeBps, takerFeeBps) => {
  const sell = { side: 'sell', limit: 10_00, remaining: 10, feeNumerator: 0, filledNotional: 5_00 } as const;
  expect(exposureOf(market, { ...sell, makerFeeBps, takerFeeBps })).toEqual({
    notional: 105_00,
    quantity: 10,
    proceeds: 99_00,
  });
});
