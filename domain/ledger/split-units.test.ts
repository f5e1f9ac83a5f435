import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AMOUNT_MAX } from './balances.ts';
import { isConversionRatio, isSplitRatio, SPLIT_RATIO_MAX, splitLots, splitUnits } from './split-units.ts';

describe('R-12: ratios of real splits', () => {
  test.each([
    [1_500, 1],
    [25_000, 1],
    [1, 25_000],
    [10_000, 1],
    [2_000, 3],
    [10_000_000, 10_461_724],
    [100_000, 57_869],
    [1_281, 1_000],
  ])('%i for %i is one', (from, to) => {
    expect([isSplitRatio({ from, to }), isConversionRatio({ from, to })]).toEqual([true, true]);
  });

  test.each([
    [1, 1],
    [0, 1],
    [1, 0],
    [1.5, 1],
    [-2, 1],
    [SPLIT_RATIO_MAX + 1, 1],
  ])('%d for %d is none', (from, to) => {
    expect(isSplitRatio({ from, to })).toBe(false);
  });

  test('are exact for every holding that there may be, each holder rounded by itself, and its lots sum to it', () => {
    const side = fc.oneof(fc.integer({ min: 1, max: 30_000 }), fc.integer({ min: 1, max: SPLIT_RATIO_MAX }));
    const lots = fc.array(fc.integer({ min: 1, max: AMOUNT_MAX / 4 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(side, side, lots, fc.boolean(), (from, to, held, isUp) => {
        const units = held.reduce((sum, each) => sum + each, 0);
        const [product, divisor] = [BigInt(units) * BigInt(to), BigInt(from)];
        const exact = (product + (isUp ? divisor - 1n : 0n)) / divisor;
        fc.pre(exact <= BigInt(AMOUNT_MAX));
        const ratio = { from, to, fractions: isUp ? 'round_up' : 'cash_in_lieu' } as const;
        expect(splitUnits(units, ratio)).toBe(Number(exact));
        const split = splitLots(held, ratio);
        expect(split.reduce((sum, each) => sum + each, 0)).toBe(Number(exact));
        for (const [at, each] of split.entries()) {
          const whole = Number((BigInt(held[at] as number) * BigInt(to)) / divisor);
          expect([whole, whole + 1]).toContain(each);
        }
      }),
    );
  });

  test('give what is left of a unit to the lot with the largest rest, beyond 2^53 as below', () => {
    const ratio = { from: 999_999_937, to: 999_999_929, fractions: 'cash_in_lieu' } as const;
    const held = [999_999_936, 999_999_935, 999_999_936];
    const rests = held.map((units) => (BigInt(units) * BigInt(ratio.to)) % BigInt(ratio.from));
    const whole = held.map((units) => Number((BigInt(units) * BigInt(ratio.to)) / BigInt(ratio.from)));
    const left =
      splitUnits(
        held.reduce((sum, each) => sum + each, 0),
        ratio,
      ) - whole.reduce((sum, each) => sum + each, 0);
    const order = rests
      .map((rest, at) => ({ rest, at }))
      .sort((a, b) => (a.rest === b.rest ? a.at - b.at : a.rest > b.rest ? -1 : 1));
    for (const { at } of order.slice(0, left)) whole[at] = (whole[at] as number) + 1;
    expect(splitLots(held, ratio)).toEqual(whole);
  });
});
