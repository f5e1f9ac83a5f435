import fc from 'fast-check';
import { expect, test } from 'vitest';
import { wholePercents } from './whole-percents.ts';

test('what cutting off has lost goes to those that lost the most, the first of them first', () => {
  expect(wholePercents([1, 1, 1])).toEqual([34, 33, 33]);
  expect(wholePercents([2, 1])).toEqual([67, 33]);
  expect(wholePercents([1, 999])).toEqual([0, 100]);
  expect(wholePercents([3, 0, 0])).toEqual([100, 0, 0]);
});

test('nothing has no shares', () => {
  expect(wholePercents([0, 0])).toEqual([0, 0]);
});

test('percents add up to 100, and none is a whole percent off', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 1_000_000_000 }), { minLength: 1, maxLength: 6 }), (counts) => {
      const whole = counts.reduce((sum, count) => sum + count, 0);
      fc.pre(whole > 0);
      const percents = wholePercents(counts);
      expect(percents.reduce((sum, percent) => sum + percent, 0)).toBe(100);
      for (const [at, count] of counts.entries())
        expect(Math.abs((percents[at] ?? 0) * whole - count * 100)).toBeLessThan(whole);
    }),
  );
});
