import { expect, test } from 'vitest';
import { AMOUNT_MAX } from '../ledger/balances.ts';
import { dailyLimitsOf } from './daily-limits-of.ts';

const dollars = { dollars: { scale: 4, rate: null }, quoteSymbol: 'USD' };
const key = { keyId: 'key', dailyNotionalMax: null, dailyLossMax: null };

test('either daily limit of a key counts by itself, in units of the dollar', () => {
  expect(dailyLimitsOf({ ...key, dailyNotionalMax: 150 }, dollars)).toMatchObject({
    value: { notionalMax: 15_000, lossMax: null },
  });
  expect(dailyLimitsOf({ ...key, dailyLossMax: 150 }, dollars)).toMatchObject({
    value: { notionalMax: null, lossMax: 15_000 },
  });
  expect(dailyLimitsOf(key, dollars)).toEqual({ ok: true, value: null });
  expect(dailyLimitsOf({ ...key, keyId: null, dailyLossMax: 1 }, dollars)).toEqual({ ok: true, value: null });
});

test('a limit beyond the largest amount is that amount', () => {
  expect(dailyLimitsOf({ ...key, dailyNotionalMax: AMOUNT_MAX }, dollars)).toMatchObject({
    value: { notionalMax: AMOUNT_MAX },
  });
});
