import { expect, test } from 'vitest';
import { roundsTooMuch } from './rounded-up.ts';

test.each([
  ['a part of a unit of one holder', { units: 25_001, parts: 24_999 }, { from: 25_000, to: 1 }, false],
  ['a whole unit in all', { units: 4_500, parts: 1_500 }, { from: 1_500, to: 1 }, false],
  ['a thousandth of what comes of it', { units: 1_000_000, parts: 100_000 }, { from: 100_000, to: 100 }, false],
  ['more than a thousandth of it', { units: 1_000_000, parts: 100_001 }, { from: 100_000, to: 100 }, true],
  // One share of before in each of a hundred accounts: they would have the company.
  ['a unit for each account', { units: 1_000_099, parts: 99 * 999_999 }, { from: 1_000_000, to: 1 }, true],
  ['half a unit for each of a hundred thousand', { units: 10_100_000, parts: 100_000 }, { from: 2, to: 3 }, true],
  ['amounts beyond what a number holds', { units: 2 ** 51, parts: 1e15 }, { from: 1e9, to: 1e9 - 1 }, false],
])('rounding up of %s', (_, rounded, ratio, isTooMuch) => {
  expect(roundsTooMuch(rounded, ratio)).toBe(isTooMuch);
});
