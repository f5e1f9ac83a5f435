import { describe, expect, test } from 'vitest';
import type { Market } from '../markets/market.ts';
import type { OrderTerms } from '../orders/order.ts';
import { PRICE_MAX } from './exact-notional.ts';
import { limitPriceOf } from './limit-price.ts';

const market: Market = {
  symbol: 'ACME-USD',
  route: 'internal',
  baseAsset: 'acme',
  quoteAsset: 'usd',
  priceScale: 2,
  quantityScale: 0,
  quoteScale: 2,
  tickSize: 5,
  lotSize: 2,
  quantityMin: 4,
  quantityMax: 40,
  makerFeeBps: 0,
  takerFeeBps: 0,
  bandBps: 1_000,
  bandHaltSeconds: 0,
  referencePrice: 10_00,
  status: 'open',
  tracksLots: false,
  rulesVersion: 1,
};

const outside = (low: number, high: number) => ({ ok: false, error: { reason: 'outside_price_band', low, high } });

describe('the limit of an order', () => {
  const terms: OrderTerms = {
    side: 'buy',
    type: 'limit',
    timeInForce: 'GTC',
    quantity: 10,
    price: 10_00,
    stopPrice: null,
    expiresAt: null,
    selfTradePrevention: 'cancel_newest',
    hidden: false,
    displayQuantity: null,
  };
  const limit = (change: Partial<OrderTerms>, last: number | null = null, of: Partial<Market> = {}) =>
    limitPriceOf({ ...terms, ...change }, { ...market, ...of }, { last, reference: last });

  test('is the price that the client states, within the band around the last trade, else the reference price', () => {
    expect(limit({ price: 11_00 })).toEqual({ ok: true, value: 11_00 });
    expect(limit({ price: 9_00 })).toEqual({ ok: true, value: 9_00 });
    expect(limit({ price: 11_05 })).toEqual(outside(9_00, 11_00));
    expect(limit({ price: 11_05 }, 12_00)).toEqual({ ok: true, value: 11_05 });
    expect(limit({ price: 10_00 }, 12_00)).toEqual(outside(10_80, 13_20));
  });

  test('is the collar where the client states none, cut by the band', () => {
    expect(limit({ type: 'market', price: null })).toEqual({ ok: true, value: 10_50 });
    expect(limit({ type: 'market', price: null }, null, { bandBps: 100 })).toEqual({ ok: true, value: 10_10 });
    expect(limit({ type: 'market', price: null, side: 'sell' }, null, { bandBps: 100 })).toEqual({
      ok: true,
      value: 9_90,
    });
    expect(limit({ type: 'stop_loss', price: null, stopPrice: 12_00 }, null, { bandBps: 100 })).toEqual({
      ok: true,
      value: 12_60,
    });
    expect(limit({ type: 'market', price: null }, null, { referencePrice: null })).toEqual({
      ok: false,
      error: { reason: 'no_reference_price' },
    });
  });

  test('leaves the notional exact', () => {
    const tooLarge = { ok: false, error: { reason: 'notional_too_large' } };
    expect(limit({ quantity: 9e15 }, null, { bandBps: 0 })).toEqual(tooLarge);
    expect(limit({ price: PRICE_MAX + 1 }, null, { bandBps: 0 })).toEqual(tooLarge);
    expect(limit({ stopPrice: PRICE_MAX + 1 }, null, { bandBps: 0 })).toEqual(tooLarge);
  });
});
