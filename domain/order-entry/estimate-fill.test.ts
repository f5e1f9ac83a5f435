import { describe, expect, it } from 'vitest';
import { estimateFill } from './estimate-fill.ts';

const market = { priceScale: 2, quantityScale: 0, quoteScale: 2 };
const asks = [
  [10_00, 3],
  [11_00, 5],
] as const;
const bids = [
  [9_00, 4],
  [8_00, 4],
] as const;

describe('the estimate of what an order fills at once', () => {
  it.each([
    ['a buy takes the cheapest first, up to its limit', { side: 'buy', limit: 11_00, quantity: 5 }, asks, 5, 52_00],
    ['a buy stops at its limit', { side: 'buy', limit: 10_99, quantity: 5 }, asks, 3, 30_00],
    ['a buy takes no more than there is', { side: 'buy', limit: 20_00, quantity: 50 }, asks, 8, 85_00],
    [
      'a sale takes the highest bid first, down to its limit',
      { side: 'sell', limit: 8_00, quantity: 6 },
      bids,
      6,
      52_00,
    ],
    ['a sale stops at its limit', { side: 'sell', limit: 8_01, quantity: 6 }, bids, 4, 36_00],
    ['nothing in an empty book', { side: 'buy', limit: 8_01, quantity: 6 }, [], 0, 0],
  ] as const)('%s', (_, order, levels, filled, notional) => {
    expect(estimateFill(market, order, levels)).toEqual({ filled, notional });
  });
});
