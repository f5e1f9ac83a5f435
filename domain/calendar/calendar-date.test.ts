import { expect, test } from 'vitest';
import { easter, lastWeekday, nthWeekday } from './calendar-date.ts';
import { dateText } from './date-text.ts';

test.each([
  [1961, '1961-04-02'],
  [2000, '2000-04-23'],
  [2008, '2008-03-23'],
  [2025, '2025-04-20'],
  [2038, '2038-04-25'],
])('Easter of %i', (year, expected) => {
  expect(dateText(easter(year))).toBe(expected);
});

test('the n-th and the last weekday of a month', () => {
  expect(dateText(nthWeekday(2026, 11, 4, 4))).toBe('2026-11-26');
  expect(dateText(nthWeekday(2026, 6, 1, 1))).toBe('2026-06-01');
  expect(dateText(lastWeekday(2026, 5, 1))).toBe('2026-05-25');
  expect(dateText(lastWeekday(2026, 8, 1))).toBe('2026-08-31');
});
