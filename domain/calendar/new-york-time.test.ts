import { expect, test } from 'vitest';
import { dateText } from './date-text.ts';
import { HOUR_MS, MINUTE_MS } from './durations.ts';
import { newYorkDate, newYorkTime } from './new-york-time.ts';

const FORMAT = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'America/New_York',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
});

test('the day in New York is that of the time zone database, each hour of ten years', () => {
  const [from, to] = [Date.UTC(2020, 0, 1), Date.UTC(2030, 0, 1)];
  const wrong: string[] = [];
  for (let at = from; at < to; at += HOUR_MS)
    if (dateText(newYorkDate(at)) !== FORMAT.format(at)) wrong.push(new Date(at).toISOString());
  expect(wrong).toEqual([]);
});

test.each([
  ['a winter day', '2026-11-23', '2026-11-23T14:30:00.000Z'],
  ['a summer day', '2026-07-15', '2026-07-15T13:30:00.000Z'],
  ['the day on which daylight saving time begins', '2026-03-08', '2026-03-08T13:30:00.000Z'],
  ['the day on which it ends', '2026-11-01', '2026-11-01T14:30:00.000Z'],
])('half past nine in New York of %s', (_, date, at) => {
  const time = newYorkTime(Date.parse(date), 9.5 * 60);
  expect(new Date(time).toISOString()).toBe(at);
  expect(dateText(newYorkDate(time - MINUTE_MS))).toBe(date);
});
