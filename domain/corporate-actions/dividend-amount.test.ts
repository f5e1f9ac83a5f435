import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dividendAmount } from './dividend-amount.ts';

const CENTS = { shareScale: 0, cashScale: 2 };

test('a holder gets shares times the amount per share, rounded down to the smallest unit', () => {
  expect(dividendAmount(3, 33_333_333, CENTS)).toBe(99);
  expect(dividendAmount(1, 100_000_000, CENTS)).toBe(100);
  expect(dividendAmount(1, 999_999, CENTS)).toBe(0);
  expect(dividendAmount(1_500_000, 25_000_000, { shareScale: 6, cashScale: 2 })).toBe(37);
});

test('what is more than an amount may be is none', () => {
  expect(dividendAmount(Number.MAX_SAFE_INTEGER, 100_000_000, CENTS)).toBeNull();
});

test('all holders together never get more than all shares, and less than a unit each less', () => {
  const holdings = fc.array(fc.integer({ min: 1, max: 1_000_000_000 }), { minLength: 1, maxLength: 50 });
  fc.assert(
    fc.property(holdings, fc.integer({ min: 1, max: 10_000_000_000 }), (shares, perShare) => {
      const each = shares.map((one) => dividendAmount(one, perShare, CENTS) ?? 0);
      const paid = each.reduce((sum, one) => sum + one, 0);
      const whole = dividendAmount(
        shares.reduce((sum, one) => sum + one, 0),
        perShare,
        CENTS,
      );
      expect(paid).toBeLessThanOrEqual(whole ?? 0);
      expect(paid).toBeGreaterThan((whole ?? 0) - shares.length);
    }),
  );
});
