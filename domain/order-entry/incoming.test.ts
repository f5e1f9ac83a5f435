import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AMOUNT_MAX } from '../ledger/balances.ts';
import { notional } from '../markets/market.ts';
import { PRICE_MAX } from './exact-notional.ts';
import { incomingOf, priceMostOf } from './incoming.ts';

const COIN = {
  symbol: 'BTC-USD',
  baseAsset: 'btc',
  quoteAsset: 'usd',
  priceScale: 2,
  quantityScale: 8,
  quoteScale: 4,
  tracksLots: false,
} as const;
const ONE = 10 ** 8;
const NO_PRICES = { last: null, reference: null };

describe('the highest price at which a sale at a broker counts', () => {
  it('is sixteen times the highest that is known of it', () => {
    const order = { limit: 50_000_00, quantity: 1_000 * ONE };
    expect(priceMostOf(COIN, order, NO_PRICES)).toBe(800_000_00);
    expect(priceMostOf(COIN, order, { last: 60_000_00, reference: 55_000_00 })).toBe(960_000_00);
    expect(priceMostOf(COIN, order, { last: 50_000_00, reference: 70_000_00 })).toBe(1_120_000_00);
    // What somebody asks for takes its own room, and no more.
    expect(priceMostOf(COIN, { ...order, limit: 1_000_000_00 }, { last: 50_000_00, reference: null })).toBe(
      1_000_000_00,
    );
  });

  it('is no less than what brings three million dollars for all of it: nobody may have known a price', () => {
    const order = { limit: 1, quantity: 100 * ONE };
    const most = priceMostOf(COIN, order, NO_PRICES);
    expect(notional(COIN, most, order.quantity)).toBeLessThanOrEqual(2 ** 35);
    expect(notional(COIN, most + 1, order.quantity)).toBeGreaterThan(2 ** 35);
  });

  it('brings no more than an account may have of cash, and is never below the limit', () => {
    const order = { limit: 50_000_00, quantity: 1_000_000 * ONE };
    const most = priceMostOf(COIN, order, NO_PRICES);
    expect(notional(COIN, most, order.quantity)).toBeLessThanOrEqual(AMOUNT_MAX);
    expect(notional(COIN, most + 1, order.quantity)).toBeGreaterThan(AMOUNT_MAX);
    expect(priceMostOf(COIN, { ...order, limit: 300_000_00 }, NO_PRICES)).toBe(300_000_00);
  });

  it('stays a price, whatever the order', () => {
    const scales = fc.record({ priceScale: fc.nat(8), quantityScale: fc.nat(8), quoteScale: fc.nat(8) });
    const prices = fc.option(fc.integer({ min: 1, max: PRICE_MAX }));
    fc.assert(
      fc.property(
        scales,
        fc.integer({ min: 1, max: PRICE_MAX }),
        fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
        prices,
        (scale, limit, quantity, last) => {
          const most = priceMostOf({ ...COIN, ...scale }, { limit, quantity }, { last, reference: null });
          expect(Number.isSafeInteger(most)).toBe(true);
          expect(most).toBeGreaterThanOrEqual(limit);
          expect(most).toBeLessThanOrEqual(PRICE_MAX);
        },
      ),
    );
  });
});

describe('what executions may still bring', () => {
  it('is what a buy has left, and what a sell has left at its highest price', () => {
    expect(incomingOf(COIN, { side: 'buy', remaining: 7 })).toBe(7);
    expect(incomingOf(COIN, { side: 'sell', remaining: 2 * ONE, priceMost: 100_00 })).toBe(200_0000);
  });

  it('is not known of a sell without one, and nothing of an order that has ended', () => {
    expect(incomingOf(COIN, { side: 'sell', remaining: 2 })).toBeUndefined();
    expect(incomingOf(COIN, { side: 'buy', remaining: 0 })).toBeUndefined();
    expect(incomingOf(COIN, { side: 'sell', remaining: 0, priceMost: 1 })).toBeUndefined();
  });
});
