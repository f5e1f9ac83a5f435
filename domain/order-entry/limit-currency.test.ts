import { describe, expect, test } from 'vitest';
import { dailyLimitsOf } from './daily-limits-of.ts';
import { centsInDollarUnits } from './limit-currency.ts';

const dollars = { dollars: { scale: 4, rate: null }, quoteSymbol: 'USD' };
const key = { keyId: 'key', dailyNotionalMax: 100_00, dailyLossMax: null };
const noRate = (limit: string) => ({ reason: 'no_rate', limit, currency: 'USD', quote: 'EUR' });

test('cents become units of the dollar, rounded down', () => {
  expect(centsInDollarUnits(1_23, 4)).toBe(1_2300);
  expect(centsInDollarUnits(1_99, 0)).toBe(1);
});

describe('daily limits of a key', () => {
  test('are in units of the dollar, and null where it has none', () => {
    expect(dailyLimitsOf(key, dollars)).toEqual({ ok: true, value: { notionalMax: 100_0000, lossMax: null } });
    expect(dailyLimitsOf({ ...key, dailyNotionalMax: null }, dollars)).toEqual({ ok: true, value: null });
    expect(dailyLimitsOf({ ...key, keyId: null }, dollars)).toEqual({ ok: true, value: null });
  });

  test('are the same in another currency, by its rate', () => {
    const euros = {
      dollars: { scale: 4, rate: { version: 1, numerator: 110, denominator: 1 } },
      quoteSymbol: 'EUR',
    };
    expect(dailyLimitsOf(key, euros)).toEqual({ ok: true, value: { notionalMax: 100_0000, lossMax: null } });
  });

  test('refuse a market in a currency without a rate, if there are any', () => {
    const euros = { dollars: null, quoteSymbol: 'EUR' };
    expect(dailyLimitsOf(key, euros)).toEqual({ ok: false, error: noRate('daily') });
    expect(dailyLimitsOf({ ...key, dailyNotionalMax: null, dailyLossMax: 1 }, euros)).toEqual({
      ok: false,
      error: noRate('daily'),
    });
    expect(dailyLimitsOf({ ...key, keyId: null }, euros)).toEqual({ ok: true, value: null });
  });
});
