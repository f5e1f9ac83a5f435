import { describe, expect, test } from 'vitest';
import { dailyLimitsOf } from './daily-limits-of.ts';
import { centsInQuoteUnits, limitCurrencyFailure } from './limit-currency.ts';

const dollars = { market: { quoteScale: 4 }, quoteSymbol: 'USD' };
const key = { keyId: 'key', dailyNotionalMax: 100_00, dailyLossMax: null };
const noRate = (limit: string) => ({ reason: 'no_rate', limit, currency: 'USD', quote: 'EUR' });

test('cents become units of the quote asset, rounded down', () => {
  expect(centsInQuoteUnits(1_23, { quoteScale: 4 })).toBe(1_2300);
  expect(centsInQuoteUnits(1_99, { quoteScale: 0 })).toBe(1);
});

test('a limit in dollars does not judge what is paid in another currency', () => {
  expect(limitCurrencyFailure('EUR', 'investment')).toEqual(noRate('investment'));
  expect(limitCurrencyFailure('USD', 'investment')).toBeNull();
  expect(limitCurrencyFailure(null, 'investment')).toBeNull();
});

describe('daily limits of a key', () => {
  test('are in quote units, and null where it has none', () => {
    expect(dailyLimitsOf(key, dollars)).toEqual({ ok: true, value: { notionalMax: 100_0000, lossMax: null } });
    expect(dailyLimitsOf({ ...key, dailyNotionalMax: null }, dollars)).toEqual({ ok: true, value: null });
    expect(dailyLimitsOf({ ...key, keyId: null }, dollars)).toEqual({ ok: true, value: null });
  });

  test('refuse a market in a currency without a rate, if there are any', () => {
    const euros = { market: { quoteScale: 2 }, quoteSymbol: 'EUR' };
    expect(dailyLimitsOf(key, euros)).toEqual({ ok: false, error: noRate('daily') });
    expect(dailyLimitsOf({ ...key, dailyNotionalMax: null, dailyLossMax: 1 }, euros)).toEqual({
      ok: false,
      error: noRate('daily'),
    });
    expect(dailyLimitsOf({ ...key, keyId: null }, euros)).toEqual({ ok: true, value: null });
  });
});
