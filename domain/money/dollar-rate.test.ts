import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { err, ok } from '../result.ts';
import { inDollarsDown, inDollarsUp, isDollarRate, rateInUnits, rateInWholes } from './dollar-rate.ts';

const term = fc.integer({ min: 1, max: 10 ** 15 });
const rate = fc.record({ numerator: term, denominator: term });
const amount = fc.maxSafeNat();
const MAX = BigInt(Number.MAX_SAFE_INTEGER);

describe('a rate in dollars', () => {
  it('is stated in wholes and counted in units, in its lowest terms', () => {
    expect(rateInUnits({ numerator: 110, denominator: 100 }, { dollarScale: 4, assetScale: 2 })).toEqual(
      ok({ numerator: 110, denominator: 1 }),
    );
    expect(rateInUnits({ numerator: 65_000, denominator: 1 }, { dollarScale: 4, assetScale: 8 })).toEqual(
      ok({ numerator: 13, denominator: 2 }),
    );
    expect(rateInWholes({ numerator: 13, denominator: 2 }, { dollarScale: 4, assetScale: 8 })).toEqual({
      numerator: 65_000,
      denominator: 1,
    });
  });

  it('is refused where its terms would not be exact', () => {
    const stated = { numerator: 999_999_999, denominator: 1 };
    expect(rateInUnits(stated, { dollarScale: 8, assetScale: 0 })).toEqual(err('too_large'));
    expect(rateInUnits(stated, { dollarScale: 6, assetScale: 0 })).toMatchObject({ ok: true });
    for (const numerator of [0, -1, 1.5, 10 ** 15 + 1]) expect(isDollarRate({ numerator, denominator: 1 })).toBe(false);
    expect(isDollarRate({ numerator: 10 ** 15, denominator: 1 })).toBe(true);
  });

  it('converts exactly, up or down, and stays within what is exact', () => {
    fc.assert(
      fc.property(amount, rate, (n, by) => {
        const product = BigInt(n) * BigInt(by.numerator);
        const floor = product / BigInt(by.denominator);
        const ceil = product % BigInt(by.denominator) === 0n ? floor : floor + 1n;
        expect(BigInt(inDollarsDown(n, by))).toBe(floor > MAX ? MAX : floor);
        expect(BigInt(inDollarsUp(n, by))).toBe(ceil > MAX ? MAX : ceil);
      }),
    );
  });

  it('leaves amounts in dollars as they are', () => {
    expect([inDollarsUp(7, null), inDollarsDown(7, undefined)]).toEqual([7, 7]);
  });

  it('never draws more by a part than the whole holds less the rest', () => {
    fc.assert(
      fc.property(fc.nat(1_000_000_000), fc.nat(1_000_000_000), rate, (part, rest, by) => {
        fc.pre(inDollarsUp(part + rest, by) < Number.MAX_SAFE_INTEGER);
        expect(inDollarsDown(part, by)).toBeLessThanOrEqual(inDollarsUp(part + rest, by) - inDollarsUp(rest, by));
      }),
    );
  });
});
