import { describe, expect, test } from 'vitest';
import { dateText } from './date-text.ts';
import { settlementDate } from './settlement-date.ts';

describe('public equities settle T+1 on the NYSE calendar', () => {
  test.each([
    ['a Monday settles on Tuesday', '2026-11-16T15:00:00Z', '2026-11-17'],
    ['a Friday settles on Monday', '2026-11-20T15:00:00Z', '2026-11-23'],
    ['the day before Thanksgiving settles on Friday', '2026-11-25T15:00:00Z', '2026-11-27'],
    ['a Saturday counts as Monday', '2026-11-21T15:00:00Z', '2026-11-24'],
    ['01:00 UTC is still the evening before in New York', '2026-11-17T01:00:00Z', '2026-11-17'],
    ['in summer 04:00 UTC begins the day in New York', '2026-07-15T04:00:00Z', '2026-07-16'],
    ['in summer 03:59 UTC ends the day before', '2026-07-15T03:59:59Z', '2026-07-15'],
    ['the Friday before Columbus Day settles on Tuesday', '2026-10-09T15:00:00Z', '2026-10-13'],
    ['so does Columbus Day itself, on which the exchange trades', '2026-10-12T15:00:00Z', '2026-10-13'],
    ['the day before Veterans Day settles on the day after', '2026-11-10T15:00:00Z', '2026-11-12'],
    ['so does Veterans Day itself', '2026-11-11T15:00:00Z', '2026-11-12'],
    ['a Veterans Day on a Sunday is kept on Monday', '2029-11-09T15:00:00Z', '2029-11-13'],
    ['one on a Saturday moves nothing', '2028-11-09T15:00:00Z', '2028-11-10'],
  ])('%s', (_, tradedAt, settles) => {
    expect(dateText(settlementDate(Date.parse(tradedAt)))).toBe(settles);
  });

  test('rows of books from before go by the days of the exchange alone', () => {
    expect(dateText(settlementDate(Date.parse('2026-10-09T15:00:00Z'), false))).toBe('2026-10-12');
  });
});
