import { expect, test } from 'vitest';
import { calendarDate } from '../calendar/calendar-date.ts';
import { closeOf, tradingDay } from './trading-day.ts';

test('a market that is always open closes with the day of UTC', () => {
  const day = calendarDate(2026, 3, 4);
  expect(tradingDay(day)).toEqual({ from: Date.UTC(2026, 2, 4), to: Date.UTC(2026, 2, 5) });
  expect(closeOf('always', day)).toBe(Date.UTC(2026, 2, 5));
});

test('one with hours of New York closes with its session, by its calendar', () => {
  expect(closeOf('nyse', calendarDate(2026, 3, 4))).toBe(Date.UTC(2026, 2, 4, 21));
  // In summer time, and on the day after Thanksgiving.
  expect(closeOf('nyse', calendarDate(2026, 6, 4))).toBe(Date.UTC(2026, 5, 4, 20));
  expect(closeOf('nyse', calendarDate(2026, 11, 27))).toBe(Date.UTC(2026, 10, 27, 18));
  expect(closeOf('nyse', calendarDate(2026, 3, 7))).toBeNull();
});
