import { expect, test } from 'vitest';
import { type DayBar, dayQuote } from './day-quote.ts';

const now = Date.parse('2026-06-10T14:00:00Z');
const today: DayBar = {
  bucket: Date.parse('2026-06-10T00:00:00Z'),
  open: 102,
  high: 110,
  low: 101,
  close: 105,
  volume: 40,
};
const before: DayBar = {
  bucket: Date.parse('2026-06-08T00:00:00Z'),
  open: 90,
  high: 101,
  low: 88,
  close: 100,
  volume: 70,
};

test("change is against the close of the last day that traded before today's", () => {
  expect(dayQuote([today, before], 105, 50, now)).toEqual({
    last: 105,
    open: 102,
    high: 110,
    low: 101,
    prevClose: 100,
    change: 5,
    changePercent: 5,
    volume: 40,
  });
});

test('a trade that has not reached the bars moves last, high and low', () => {
  expect(dayQuote([today, before], 120, null, now)).toMatchObject({ last: 120, high: 120, low: 101 });
  expect(dayQuote([today, before], 99, null, now)).toMatchObject({ last: 99, high: 110, low: 99, change: -1 });
});

test('a day without trades stands where the day before left it', () => {
  expect(dayQuote([before], 100, null, now)).toMatchObject({
    last: 100,
    open: 100,
    high: 100,
    low: 100,
    change: 0,
    volume: 0,
  });
});

test('before the first trade the reference price stands, without one 0', () => {
  expect(dayQuote([], null, 50, now)).toMatchObject({ last: 50, prevClose: 50, changePercent: 0 });
  expect(dayQuote([], null, null, now)).toMatchObject({ last: 0, prevClose: 0, changePercent: 0 });
});

test('on the first day change is against the reference price, without one against the open', () => {
  expect(dayQuote([today], 105, 100, now)).toMatchObject({ prevClose: 100, changePercent: 5 });
  expect(dayQuote([today], 105, null, now)).toMatchObject({ prevClose: 102, change: 3 });
});
