import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checked, mulDivCeil, mulDivFloor } from './arithmetic.ts';

const amount = fc.maxSafeNat();
const divisor = fc.integer({ min: 1, max: 1_000_000_000 });

describe('products of amounts', () => {
  it('are exact, however large the product, or refused beyond 2^53', () => {
    fc.assert(
      fc.property(amount, amount, divisor, (a, b, d) => {
        const floor = (BigInt(a) * BigInt(b)) / BigInt(d);
        const exact = (BigInt(a) * BigInt(b)) % BigInt(d) === 0n;
        const ceil = exact ? floor : floor + 1n;
        if (ceil > BigInt(Number.MAX_SAFE_INTEGER)) expect(() => mulDivCeil(a, b, d)).toThrow(RangeError);
        else {
          expect(BigInt(mulDivFloor(a, b, d))).toBe(floor);
          expect(BigInt(mulDivCeil(a, b, d))).toBe(ceil);
        }
      }),
    );
  });

  it('refuse what is not a safe integer', () => {
    expect(() => checked(2 ** 53)).toThrow(RangeError);
    expect(checked(2 ** 53 - 1)).toBe(2 ** 53 - 1);
  });
});
