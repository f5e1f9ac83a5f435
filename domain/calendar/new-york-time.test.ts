import { expect, test } from 'vitest';
import { dateText } from './date-text.ts';
import { HOUR_MS } from './durations.ts';
import { newYorkDate } from './new-york-time.ts';

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
