import { expect, test } from 'vitest';
import type { SourceQuote } from '../broker/market-data-source.ts';
import { fromScaled } from '../money/scaled.ts';
import { SOURCE_SCALES, sourceDayQuote } from './source-day-quote.ts';

const quote: SourceQuote = {
  bid: '212.34',
  ask: '212.36',
  last: '212.345',
  open: '210.1',
  high: '213',
  low: '209.99',
  prevClose: '210',
  volume: '512345678.5',
  at_ms: Date.UTC(2026, 10, 20, 15),
};

test('a source’s quote has its change without the noise of doubles', () => {
  const read = sourceDayQuote(quote);
  expect(fromScaled(read.change, SOURCE_SCALES.price)).toBe(2.345);
  expect(read.changePercent).toBe(1.11666666667);
  const prices = [read.open, read.high, read.low].map((each) => fromScaled(each, SOURCE_SCALES.price));
  expect(prices).toEqual([210.1, 213, 209.99]);
  expect(fromScaled(read.volume, SOURCE_SCALES.volume)).toBe(512_345_678.5);
});

test('what a source does not know stands at its last price', () => {
  const unknown = { open: null, high: null, low: null, prevClose: null, volume: null };
  const { last, ...rest } = sourceDayQuote({ ...quote, ...unknown });
  expect(rest).toEqual({ open: last, high: last, low: last, prevClose: last, change: 0, changePercent: 0, volume: 0 });
});
