import { describe, expect, test } from 'vitest';
import type { OrderTerms, OrderType, TimeInForce } from '../orders/order.ts';
import { termsFailure } from './terms-failure.ts';

const now = Date.parse('2026-06-01T00:00:00Z');
const horizon_ms = 366 * 86_400_000;
const market = { tickSize: 5, lotSize: 10, quantityMin: 20, quantityMax: 200_000 };
const limit: OrderTerms = {
  side: 'buy',
  type: 'limit',
  timeInForce: 'GTC',
  quantity: 100,
  price: 500,
  stopPrice: null,
  expiresAt: null,
  selfTradePrevention: 'cancel_newest',
  hidden: false,
  displayQuantity: null,
};
const failure = (terms: Partial<OrderTerms>) => termsFailure({ ...limit, ...terms }, market, now);

const TIMES: TimeInForce[] = ['GTC', 'IOC', 'FOK', 'GTD', 'POST_ONLY'];
const TABLE: Record<OrderType, string> = {
  market: 'IOC',
  limit: 'GTC, IOC, FOK, GTD, POST_ONLY',
  stop_loss: 'GTC',
  stop_loss_limit: 'GTC',
  take_profit: 'GTC',
  take_profit_limit: 'GTC',
  limit_maker: 'GTC',
};

describe('allowed time_in_force per order type', () => {
  test.each(Object.entries(TABLE) as [OrderType, string][])('%s: %s', (type, allowed) => {
    const accepted = TIMES.filter((timeInForce) => {
      const found = failure({
        type,
        timeInForce,
        price: type === 'market' || type === 'stop_loss' || type === 'take_profit' ? null : 500,
        stopPrice: type.startsWith('stop') || type.startsWith('take') ? 450 : null,
        expiresAt: timeInForce === 'GTD' ? now + 1 : null,
      });
      if (found !== null) expect(found.reason).toBe('time_in_force_not_allowed');
      return found === null;
    });
    expect(accepted.join(', ')).toBe(allowed);
  });
});

describe('each type has exactly its fields', () => {
  test.each<[string, Partial<OrderTerms>, string, string]>([
    ['a limit order needs a price', { price: null }, 'missing_field', 'price'],
    ['a market order takes none', { type: 'market', timeInForce: 'IOC' }, 'unexpected_field', 'price'],
    ['a stop needs its trigger', { type: 'stop_loss_limit' }, 'missing_field', 'stopPrice'],
    ['a limit order has no trigger', { stopPrice: 400 }, 'unexpected_field', 'stopPrice'],
    ['GTD needs its expiry', { timeInForce: 'GTD' }, 'missing_field', 'expiresAt'],
    ['GTC has none', { expiresAt: now + 1 }, 'unexpected_field', 'expiresAt'],
    [
      'what never rests is not hidden',
      { type: 'market', timeInForce: 'IOC', price: null, hidden: true },
      'unexpected_field',
      'hidden',
    ],
    [
      'what never rests has no slices',
      { type: 'market', timeInForce: 'IOC', price: null, displayQuantity: 50 },
      'unexpected_field',
      'displayQuantity',
    ],
    ['hidden or iceberg, not both', { hidden: true, displayQuantity: 50 }, 'unexpected_field', 'displayQuantity'],
  ])('%s', (_, terms, reason, field) => {
    expect(failure(terms)).toEqual({ reason, field });
  });
});

describe('the rules of the market', () => {
  test.each<[string, Partial<OrderTerms>, ReturnType<typeof failure>]>([
    ['a quantity is on the lot', { quantity: 105 }, { reason: 'not_on_lot', field: 'quantity', lotSize: 10 }],
    ['a quantity is not below the minimum', { quantity: 10 }, { reason: 'below_minimum', quantityMin: 20 }],
    ['a quantity is not above the maximum', { quantity: 200_010 }, { reason: 'above_maximum', quantityMax: 200_000 }],
    ['a price is on the tick', { price: 501 }, { reason: 'not_on_tick', field: 'price', tickSize: 5 }],
    [
      'a trigger is on the tick',
      { type: 'stop_loss', price: null, stopPrice: 7 },
      { reason: 'not_on_tick', field: 'stopPrice', tickSize: 5 },
    ],
    ['a slice is on the lot', { displayQuantity: 15 }, { reason: 'not_on_lot', field: 'displayQuantity', lotSize: 10 }],
    ['a slice is not above the whole', { displayQuantity: 110 }, { reason: 'display_above_quantity' }],
    [
      'an iceberg has no more slices than one taker may fill',
      { quantity: 100_010, displayQuantity: 100 },
      { reason: 'too_many_slices', slicesMax: 1_000 },
    ],
    ['as many slices as that are fine', { quantity: 100_000, displayQuantity: 100 }, null],
    ['the bounds themselves are fine', { quantity: 20, price: 5 }, null],
    ['so is an iceberg within them', { quantity: 1_000, displayQuantity: 1_000 }, null],
  ])('%s', (_, terms, expected) => {
    expect(failure(terms)).toEqual(expected);
  });
});

describe('GTD expires at a specified timestamp', () => {
  test.each([
    ['in the future', now, { reason: 'expiry_not_in_future', now }],
    ['within the horizon', now + horizon_ms + 1, { reason: 'expiry_too_far', expiresAt_max: now + horizon_ms }],
    ['up to its last moment', now + horizon_ms, null],
  ])('%s', (_, expiresAt, expected) => {
    expect(failure({ timeInForce: 'GTD', expiresAt })).toEqual(expected);
  });
});

describe('T-03: what rests comes to one unit of what its market quotes in', () => {
  const scales = { priceScale: 2, quantityScale: 4, quoteScale: 2 };
  const loose = { tickSize: 1, lotSize: 1, quantityMin: 1, quantityMax: 10 ** 12 };
  const of = (terms: Partial<OrderTerms>) => termsFailure({ ...limit, ...terms }, { ...loose, ...scales }, now);
  const tooLittle = { reason: 'below_least_notional', notionalMin: 1 };

  test.each<[string, Partial<OrderTerms>]>([
    ['a limit order', {}],
    ['a sell', { side: 'sell' }],
    ['one that is hidden', { hidden: true }],
    ['one that only makes', { type: 'limit_maker' }],
    ['a stop with a limit', { type: 'stop_loss_limit', stopPrice: 5_000 }],
    ['a stop without one, by its trigger', { type: 'take_profit', price: null, stopPrice: 1 }],
    ['one that expires', { timeInForce: 'GTD', expiresAt: now + 1 }],
  ])('%s', (_, terms) => {
    const stopPrice = terms.price === null ? 1 : (terms.stopPrice ?? null);
    const at = { ...terms, ...(terms.price === null ? { stopPrice } : { price: 1 }) };
    expect(of({ ...at, quantity: 999_999 })).toEqual(tooLittle);
    expect(of({ ...at, quantity: 1_000_000 })).toBeNull();
  });

  test.each<[string, Partial<OrderTerms>]>([
    ['what ends at once', { timeInForce: 'IOC' }],
    ['what fills whole or not at all', { timeInForce: 'FOK' }],
    ['a market order', { type: 'market', timeInForce: 'IOC', price: null }],
  ])('%s may come to less', (_, terms) => {
    expect(of({ price: 1, ...terms, quantity: 1 })).toBeNull();
  });

  test.each([
    [6, 1],
    [8, 0.0001],
  ])('of an asset with %i decimals, %d units', (quoteScale, notionalMin) => {
    const inWholes = (quantity: number) =>
      termsFailure({ ...limit, price: 100, quantity }, { ...loose, ...scales, quoteScale }, now);
    const least = notionalMin * 10_000;
    expect(termsFailure({ ...limit, price: 99, quantity: least }, { ...loose, ...scales, quoteScale }, now)).toEqual({
      ...tooLittle,
      notionalMin,
    });
    expect(inWholes(least)).toBeNull();
  });

  test('amounts far beyond 2^53 are judged, too', () => {
    expect(of({ price: 2 ** 50, quantity: 10 ** 12 })).toBeNull();
  });
});
