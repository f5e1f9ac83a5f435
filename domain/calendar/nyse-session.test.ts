import { expect, test } from 'vitest';
import { dateText } from './date-text.ts';
import { DAY_MS } from './durations.ts';
import { isNyseOpen, nextNyseOpening, nyseSession } from './nyse-session.ts';

test.each([
  ['2026-11-23T14:29:59.999Z', false],
  ['2026-11-23T14:30:00.000Z', true],
  ['2026-11-23T20:59:59.999Z', true],
  ['2026-11-23T21:00:00.000Z', false],
  ['2026-07-15T13:30:00.000Z', true],
  ['2026-07-15T20:00:00.000Z', false],
  ['2026-11-22T16:00:00.000Z', false],
  ['2026-11-26T16:00:00.000Z', false],
  ['2026-11-27T17:59:59.999Z', true],
  ['2026-11-27T18:00:00.000Z', false],
])('at %s the exchange is open: %s', (at, isOpen) => {
  expect(isNyseOpen(Date.parse(at))).toBe(isOpen);
});

test.each([
  ['before the opening, that of the day', '2026-11-23T12:00:00Z', '2026-11-23T14:30:00.000Z'],
  ['while it is open, that of the next day', '2026-11-23T15:00:00Z', '2026-11-24T14:30:00.000Z'],
  ['on the eve of Thanksgiving, that of the Friday', '2026-11-25T22:00:00Z', '2026-11-27T14:30:00.000Z'],
  ['on a Friday evening, that of the Monday', '2026-03-06T22:00:00Z', '2026-03-09T13:30:00.000Z'],
])('the next opening: %s', (_, at, opens) => {
  expect(new Date(nextNyseOpening(Date.parse(at))).toISOString()).toBe(opens);
});

test.each([
  [2024, ['2024-07-03', '2024-11-29', '2024-12-24']],
  [2025, ['2025-07-03', '2025-11-28', '2025-12-24']],
  [2026, ['2026-11-27', '2026-12-24']],
  [2027, ['2027-11-26']],
  [2028, ['2028-07-03', '2028-11-24']],
])('days of %i on which it closes at one are those that the exchange published', (year, expected) => {
  const early: string[] = [];
  for (let date = Date.UTC(year, 0, 1); date < Date.UTC(year + 1, 0, 1); date += DAY_MS) {
    const session = nyseSession(date);
    if (session !== null && session.closesAt - session.opensAt < 6 * 3_600_000) early.push(dateText(date));
  }
  expect(early).toEqual(expected);
});
