import { describe, expect, test } from 'vitest';
import { averagePrice } from './average-price.ts';
import { valueHolding } from './value-holding.ts';

const scales = { priceScale: 2, quantityScale: 3, quoteScale: 4 };

describe('averagePrice', () => {
  test('is the amount per unit across scales', () => {
    expect(averagePrice(1_505_000, 4, 10_000, 3)).toBe(15.05);
  });

  test('shows no noise of the double', () => {
    expect(averagePrice(301_000, 4, 3_000, 3)).toBe(10.0333333333);
    expect(averagePrice(3_000, 4, 3_000, 3)).toBe(0.1);
  });

  test('of nothing is 0', () => {
    expect(averagePrice(0, 4, 0, 3)).toBe(0);
  });
});

describe('valueHolding', () => {
  test('values at the last price', () => {
    expect(valueHolding({ quantity: 12_500, cost: 1_250_000 }, scales, 1_110)).toEqual({
      quantity: 12.5,
      averageCost: 10,
      currentPrice: 11.1,
      marketValue: 138.75,
      unrealizedPnl: 13.75,
      unrealizedPnlPercent: 11,
    });
  });

  test('a loss is negative', () => {
    expect(valueHolding({ quantity: 1_000, cost: 100_000 }, scales, 750)).toMatchObject({
      unrealizedPnl: -2.5,
      unrealizedPnlPercent: -25,
    });
  });

  test('without a price a holding shows none, and is worth what it cost', () => {
    expect(valueHolding({ quantity: 2_000, cost: 500_000 }, scales, null)).toMatchObject({
      currentPrice: 0,
      marketValue: 50,
      unrealizedPnl: 0,
    });
  });

  test('what cost nothing has no percentage', () => {
    expect(valueHolding({ quantity: 1_000, cost: 0 }, scales, 500)).toMatchObject({
      averageCost: 0,
      unrealizedPnl: 5,
      unrealizedPnlPercent: 0,
    });
  });

  test('is exact, however large the value is', () => {
    const large = { quantity: 123_456_789, cost: 1_524_148_134_278_300 };
    expect(valueHolding(large, { priceScale: 2, quantityScale: 0, quoteScale: 4 }, 123_456)).toMatchObject({
      marketValue: 152_414_813_427.84,
      unrealizedPnl: 0.01,
    });
    const fine = { priceScale: 9, quantityScale: 8, quoteScale: 4 };
    expect(valueHolding({ quantity: 100_000_000, cost: 10_000 }, fine, 1_000_000_001)).toMatchObject({
      marketValue: 1.000_000_001,
      unrealizedPnl: 0.000_000_001,
    });
  });
});
