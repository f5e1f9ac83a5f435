import { describe, expect, test } from 'vitest';
import { HOUR_MS } from '../calendar/durations.ts';
import { noticeMsOf, noticeOf } from './action-notice.ts';

describe('the notice of a deployment', () => {
  test('is what it says, in hours', () => {
    expect(noticeOf('0', '48')).toEqual({ sharesMs: 0, otherMs: 48 * HOUR_MS });
  });

  test.each([undefined, '', 'ten', '-1', '1.5', '99999', 'Infinity'])(
    'is ten days and one day where it says %s',
    (text) => {
      expect(noticeOf(text, text)).toEqual({ sharesMs: 240 * HOUR_MS, otherMs: 24 * HOUR_MS });
    },
  );
});

describe('what ends or divides holdings has the longer notice', () => {
  const notice = { sharesMs: 2, otherMs: 1 };
  const cash = { amountPerShare: 1, currency: 'USD', currencyAsset: 'usd' };
  const merger = { type: 'merger', counterparty: 'X' } as const;
  const stock = { survivor: 's', ratioFrom: 1, ratioTo: 1, restrictionEndsAt: null };
  test.each([
    ['a split', { type: 'stock_split', ratioFrom: 1, ratioTo: 2 }, 2],
    ['a merger for cash', { ...merger, ...cash }, 2],
    ['a merger for stock', { ...merger, stock }, 2],
    ['a merger that is told', merger, 1],
    ['a dividend', { type: 'dividend', ...cash }, 1],
    ['another name', { type: 'name_change', assetName: 'X', cusip: null, isin: null }, 1],
  ] as const)('%s', (_, terms, ms) => {
    expect(noticeMsOf(notice, terms)).toBe(ms);
  });
});
