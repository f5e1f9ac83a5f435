import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chargeFee } from './fee.ts';

describe('the fee of an order', () => {
  it('is F(cumulative after) − F(cumulative before), F rounding up: fills in parts cost what one fill costs', () => {
    const notional = fc.oneof(fc.integer({ min: 1, max: 1_000_000 }), fc.maxSafeNat());
    fc.assert(
      fc.property(fc.array(notional, { minLength: 1 }), fc.nat(1_000), (notionals, bps) => {
        let numerator = 0;
        let charged = 0n;
        for (const each of notionals) {
          const part = chargeFee(numerator, each, bps);
          expect(part.fee).toBeGreaterThanOrEqual(0);
          charged += BigInt(part.fee);
          ({ numerator } = part);
        }
        const total = notionals.reduce((sum, each) => sum + BigInt(each), 0n) * BigInt(bps);
        expect(charged).toBe((total + 9_999n) / 10_000n);
      }),
    );
  });

  it('goes on from a numerator that was kept whole', () => {
    expect(chargeFee(123_456, 10, 5)).toEqual(chargeFee(3_456, 10, 5));
  });
});
