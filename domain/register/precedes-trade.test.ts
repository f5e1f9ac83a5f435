import { expect, test } from 'vitest';
import { precedesTrade } from './precedes-trade.ts';

/** Half past nine in the evening of 22 November in New York. */
const EVENING = Date.parse('2026-11-23T02:30:00Z');

test.each<[string, boolean]>([
  ['1999-01-01', true],
  ['2026-11-21', true],
  ['2026-11-22', false],
  ['2026-11-23', false],
  ['2026-11-21T23:59:59-05:00', true],
  ['2026-11-22T00:00:00-05:00', false],
  ['2026-11-22T04:59:59Z', true],
])('R-18: a record date of %s lies before the day of a trade: %s', (stated, precedes) => {
  expect(precedesTrade(stated, EVENING)).toBe(precedes);
});
