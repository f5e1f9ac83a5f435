import { expect, test } from 'vitest';
import { calendarDate } from '../calendar/calendar-date.ts';
import { sessionOf, tradingDay } from './trading-day.ts';

test('a market that is always open closes with the day of UTC', () => {
  const day = calendarDate(2026, 3, 4);
  expect(tradingDay(day)).toEqual({ from: Date.UTC(2026, 2, 4), to: Date.UTC(2026, 2, 5) });
  expect(sessionOf('always', day)).toEqual(tradingDay(day));
});

test('one with hours of New York closes with its session, by its calendar', () => {
  const session = sessionOf('nyse', calendarDate(2026, 3, 4));
  expect(session).toEqual({ from: Date.UTC(2026, 2, 4, 14, 30), to: Date.UTC(2026, 2, 4, 21) });
  // In summer time, and on the day after Thanksgiving.
  expect(sessionOf('nyse', calendarDate(2026, 6, 4))?.to).toBe(Date.UTC(2026, 5, 4, 20));
  expect(sessionOf('nyse', calendarDate(2026, 11, 27))?.to).toBe(Date.UTC(2026, 10, 27, 18));
  expect(sessionOf('nyse', calendarDate(2026, 3, 7))).toBeNull();
});
