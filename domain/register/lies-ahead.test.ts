import { expect, test } from 'vitest';
import { liesAhead } from './lies-ahead.ts';

const now = Date.parse('2026-03-10T22:00:00Z');

test.each([
  ['2026-03-10', 1, false],
  ['2026-03-11', 1, false],
  ['2026-03-12', 1, true],
  ['2026-03-11T21:59:59Z', 1, false],
  ['2026-03-12T00:30:00+02:00', 1, true],
  ['2026-03-12T00:00:00+02:00', 1, false],
  ['2027-03-10', 365, false],
  ['2027-03-11', 365, true],
  ['2099-01-01', 365, true],
])('%s lies more than %d days ahead: %s', (stated, days, is) => {
  expect(liesAhead(stated, { now, days })).toBe(is);
});
