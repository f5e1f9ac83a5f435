import { expect, test } from 'vitest';
import { latestDay } from './latest-day.ts';

test.each([
  ['2026-11-29T09:59:59.999Z', '2026-11-29'],
  ['2026-11-29T10:00:00.000Z', '2026-11-30'],
  ['2026-12-31T12:00:00.000Z', '2027-01-01'],
])('at %s the latest day is %s', (now, day) => {
  expect(latestDay(Date.parse(now))).toBe(day);
});
