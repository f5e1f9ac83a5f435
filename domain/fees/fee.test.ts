import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addToFeeNumerator, feeCharged } from './fee.ts';

describe('the fee of an order', () => {
  it('is F(cumulative after) − F(cumulative before), F rounding up: fills in parts cost what one fill costs', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 1_000_000 }), { minLength: 1 }), fc.nat(500), (notionals, bps) => {
        let numerator = 0;
        let charged = 0;
        for (const notional of notionals) {
          const next = addToFeeNumerator(numerator, notional, bps);
          const fee = feeCharged(next) - feeCharged(numerator);
          expect(fee).toBeGreaterThanOrEqual(0);
          charged += fee;
          numerator = next;
        }
        const total = notionals.reduce((sum, notional) => sum + notional, 0);
        expect(charged).toBe(Math.ceil((total * bps) / 10_000));
      }),
    );
  });
});
