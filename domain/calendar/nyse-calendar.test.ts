import { describe, expect, test } from 'vitest';
import { calendarDate } from './calendar-date.ts';
import { dateText } from './date-text.ts';
import { isNyseTradingDay, nextNyseTradingDay, nyseHolidays } from './nyse-calendar.ts';

const day = (text: string) => calendarDate(...(text.split('-').map(Number) as [number, number, number]));

describe('the holidays are those that the exchange published', () => {
  test.each([
    [
      2021,
      [
        '2021-01-01',
        '2021-01-18',
        '2021-02-15',
        '2021-04-02',
        '2021-05-31',
        '2021-07-05',
        '2021-09-06',
        '2021-11-25',
        '2021-12-24',
      ],
    ],
    [
      2022,
      [
        '2022-01-17',
        '2022-02-21',
        '2022-04-15',
        '2022-05-30',
        '2022-06-20',
        '2022-07-04',
        '2022-09-05',
        '2022-11-24',
        '2022-12-26',
      ],
    ],
    [
      2024,
      [
        '2024-01-01',
        '2024-01-15',
        '2024-02-19',
        '2024-03-29',
        '2024-05-27',
        '2024-06-19',
        '2024-07-04',
        '2024-09-02',
        '2024-11-28',
        '2024-12-25',
      ],
    ],
    [
      2026,
      [
        '2026-01-01',
        '2026-01-19',
        '2026-02-16',
        '2026-04-03',
        '2026-05-25',
        '2026-06-19',
        '2026-07-03',
        '2026-09-07',
        '2026-11-26',
        '2026-12-25',
      ],
    ],
  ])('%i', (year, expected) => {
    expect(nyseHolidays(year).map(dateText)).toEqual(expected);
  });
});

test('weekends and holidays are no trading days, a Friday before an unkept New Year is', () => {
  expect(isNyseTradingDay(day('2026-11-21'))).toBe(false);
  expect(isNyseTradingDay(day('2026-11-22'))).toBe(false);
  expect(isNyseTradingDay(day('2026-11-26'))).toBe(false);
  expect(isNyseTradingDay(day('2021-12-31'))).toBe(true);
});

test('the next trading day skips a long weekend', () => {
  expect(dateText(nextNyseTradingDay(day('2026-07-02')))).toBe('2026-07-06');
});
