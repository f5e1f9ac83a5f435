import { describe, expect, test } from 'vitest';
import type { Market } from '../markets/market.ts';
import { NO_PRICES } from '../markets/price-band.ts';
import { type AmendableTerms, amendedTerms, type TermsChange } from './amended-terms.ts';
import { PRICE_MAX } from './exact-notional.ts';
import { termsFailure } from './terms-failure.ts';

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

/** A stop without a limit. */
const PLACED = {
  type: 'stop_loss',
  timeInForce: 'GTC',
  price: null,
  expiresAt: null,
  selfTradePrevention: 'cancel_newest',
  hidden: false,
  displayQuantity: null,
} as const;

const outside = (low: number, high: number) => ({ ok: false, error: { reason: 'outside_price_band', low, high } });

describe('the terms of an order after an amendment', () => {
  const order: AmendableTerms = {
    side: 'buy',
    quantity: 10,
    filled: 4,
    price: 10_00,
    limit: 10_00,
    makerFeeBps: 0,
    takerFeeBps: 0,
    displayQuantity: null,
    stopPrice: null,
  };
  const amended = (change: Partial<TermsChange>, of: Partial<AmendableTerms> = {}, rules: Partial<Market> = {}) =>
    amendedTerms(
      { quantity: null, price: null, stopPrice: null, ...change },
      { ...order, ...of },
      { ...market, ...rules },
      NO_PRICES,
    );

  test('are its own where nothing is said', () => {
    expect(amended({ quantity: 20 })).toEqual({ ok: true, value: { quantity: 20, price: 10_00, stopPrice: null } });
    expect(amended({ price: 10_05 })).toEqual({ ok: true, value: { quantity: 10, price: 10_05, stopPrice: null } });
  });

  test.each([8, 40])('may have the smallest quantity and the largest: %d', (quantity) => {
    expect(amended({ quantity }, {}, { quantityMin: 8 })).toMatchObject({ value: { quantity } });
  });

  test.each([
    ['a price for an order that has none', { price: 9_00 }, { price: null }, {}, 'no_price'],
    ['no more than has filled', { quantity: 4 }, {}, {}, 'quantity_not_above_filled'],
    ['less than the smallest quantity', { quantity: 6 }, {}, { quantityMin: 8 }, 'below_minimum'],
    ['more than the largest quantity', { quantity: 42 }, {}, {}, 'above_maximum'],
    ['a quantity off the lot', { quantity: 13 }, {}, {}, 'not_on_lot'],
    [
      'more slices than an iceberg has',
      { quantity: 2_002 },
      { displayQuantity: 2 },
      { quantityMax: 9_000 },
      'too_many_slices',
    ],
    ['less than an order that rests comes to', { price: 5, quantity: 8 }, {}, { bandBps: 0 }, 'below_least_notional'],
    ['no price at all', { price: 0 }, {}, {}, 'not_positive'],
    ['a price off the tick', { price: 10_01 }, {}, {}, 'not_on_tick'],
    ['a trigger for an order that awaits none', { stopPrice: 9_00 }, {}, {}, 'no_stop_price'],
    ['a trigger off the tick', { stopPrice: 9_01 }, { stopPrice: 9_00 }, {}, 'not_on_tick'],
  ] as const)('are not %s', (_, change, of, rules, detail) => {
    expect(amended(change, of, rules)).toEqual({ ok: false, error: { reason: 'invalid_amendment', detail } });
  });

  test('are not outside the price band, unless the price stays what it was', () => {
    expect(amended({ price: 11_05 })).toEqual(outside(9_00, 11_00));
    expect(amended({ quantity: 20 }, { limit: 11_05 })).toMatchObject({ ok: true });
  });

  test('of a stop have its trigger, and a collar around it where it has no limit', () => {
    const stop = { filled: 0, stopPrice: 11_00 };
    expect(amended({ stopPrice: 12_00 }, stop)).toMatchObject({ value: { price: 10_00, stopPrice: 12_00 } });
    expect(amended({ quantity: 12 }, stop)).toMatchObject({ value: { quantity: 12, stopPrice: 11_00 } });
    const unlimited = { ...stop, price: null, limit: 11_55 };
    expect(amended({ stopPrice: 12_00 }, unlimited)).toMatchObject({ value: { price: 12_60, stopPrice: 12_00 } });
    expect(amended({ stopPrice: 12_00 }, { ...unlimited, side: 'sell' })).toMatchObject({ value: { price: 11_40 } });
    expect(amended({ stopPrice: PRICE_MAX + 1 }, unlimited)).toMatchObject({ error: { reason: 'notional_too_large' } });
  });

  test.each([
    ['buy', 25, true],
    ['buy', 24, false],
    ['sell', 25, true],
    ['sell', 24, false],
  ] as const)(
    'of a stop without a limit come to enough by its trigger, as when it was placed: a %s at %i',
    (side, stopPrice, ok) => {
      const rules = { bandBps: 0, tickSize: 1 };
      const stop = { side, filled: 0, price: null, limit: 30, stopPrice: 30, quantity: 4 };
      expect(amended({ stopPrice }, stop, rules)).toMatchObject({ ok });
      const placed = { ...PLACED, side, quantity: 4, stopPrice };
      expect(termsFailure(placed, { ...market, ...rules }, 0) === null).toBe(ok);
    },
  );

  test('keep the notional exact at the fees that the order was admitted under', () => {
    const large = { quantityMax: Number.MAX_SAFE_INTEGER, bandBps: 0 };
    const quantity = 2_000_000_000;
    expect(amended({ quantity }, {}, large)).toMatchObject({ ok: true });
    for (const fee of ['makerFeeBps', 'takerFeeBps'])
      expect(amended({ quantity }, { [fee]: 10_000 }, large)).toEqual({
        ok: false,
        error: { reason: 'notional_too_large' },
      });
    expect(amended({ price: PRICE_MAX + 4 }, {}, { bandBps: 0, bandHaltSeconds: 0, tickSize: 1 })).toEqual({
      ok: false,
      error: { reason: 'notional_too_large' },
    });
  });
});
