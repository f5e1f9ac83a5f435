import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { feeShareOf, quoteOf } from './quote.ts';

const share = (feeBps: number) => ({ feeBps, flatFee: 0, leastAmount: 1 });

describe('a quote', () => {
  it('is in units of each side', () => {
    const scales = { ledger: 6, source: 18, destination: 6 };
    expect(quoteOf(1_500_000, share(10), scales)).toEqual({
      ok: true,
      value: { amount: 1_500_000, fee: 1_500, amountIn: '1500000000000000000', amountOut: '1498500' },
    });
  });

  it('rounds the fee up, to what both sides can pay', () => {
    expect(quoteOf(1_001, share(10), { ledger: 8, source: 8, destination: 8 })).toMatchObject({ value: { fee: 2 } });
    expect(quoteOf(100_000, share(10), { ledger: 8, source: 6, destination: 6 })).toMatchObject({
      value: { fee: 100 },
    });
    expect(quoteOf(100_100, share(10), { ledger: 8, source: 6, destination: 8 })).toMatchObject({
      value: { fee: 200 },
    });
  });

  it('refuses an amount that a side cannot pay to the last unit, and one that the fee takes whole', () => {
    expect(quoteOf(101, share(0), { ledger: 8, source: 6, destination: 8 })).toEqual({ ok: false, error: 'too_fine' });
    expect(quoteOf(1, share(10), { ledger: 8, source: 8, destination: 8 })).toEqual({
      ok: false,
      error: 'nothing_left',
    });
  });

  it('B-05: has a flat part beside its share, and is refused below the least amount', () => {
    const scales = { ledger: 6, source: 6, destination: 6 };
    const terms = { feeBps: 10, flatFee: 500, leastAmount: 2_000 };
    expect(quoteOf(2_000, terms, scales)).toMatchObject({ value: { fee: 502, amountOut: '1498' } });
    expect(quoteOf(1_999, terms, scales)).toEqual({ ok: false, error: 'below_least' });
    expect(quoteOf(500, { ...terms, leastAmount: 1 }, scales)).toEqual({ ok: false, error: 'nothing_left' });
  });

  it('earns the share of its fee, rounded down, and neither the flat part nor what rounding adds', () => {
    const scales = { ledger: 8, source: 6, destination: 8 };
    const quote = quoteOf(100_100, { feeBps: 10, flatFee: 50, leastAmount: 1 }, scales);
    expect(quote).toMatchObject({ value: { fee: 200 } });
    expect(quote.ok && feeShareOf(quote.value, 10)).toBe(100);
    expect(feeShareOf({ amount: 999, fee: 1 }, 10)).toBe(0);
    expect(feeShareOf({ amount: 10_000, fee: 5 }, 10)).toBe(5);
  });

  it('earns no more than it leaves in the vault', () => {
    const scale = fc.integer({ min: 0, max: 18 });
    const scales = fc.record({ ledger: fc.integer({ min: 0, max: 8 }), source: scale, destination: scale });
    const terms = fc.record({
      feeBps: fc.integer({ min: 0, max: 1_000 }),
      flatFee: fc.integer({ min: 0, max: 1_000 }),
      leastAmount: fc.constant(1),
    });
    let quoted = 0;
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 50 }), fc.nat(8), terms, scales, (n, zeros, of, sides) => {
        const amount = Math.floor(n / 10 ** zeros) * 10 ** zeros;
        const quote = quoteOf(amount, of, sides);
        if (!quote.ok) return;
        quoted++;
        const one = (scaleOf: number) => 10n ** BigInt(30 - scaleOf);
        const share = feeShareOf(quote.value, of.feeBps);
        const { amountIn, amountOut } = quote.value;
        const out = BigInt(amountOut) * one(sides.destination) + BigInt(share) * one(sides.ledger);
        expect(BigInt(amountIn) * one(sides.source) - out).toBeGreaterThanOrEqual(0n);
        expect(share).toBeGreaterThanOrEqual(0);
        expect(share * 10_000).toBeLessThanOrEqual(amount * of.feeBps);
      }),
    );
    expect(quoted).toBeGreaterThan(0);
  });

  it('takes in what it pays and the fee, to the unit', () => {
    const scale = fc.integer({ min: 0, max: 18 });
    const scales = fc.record({ ledger: fc.integer({ min: 0, max: 8 }), source: scale, destination: scale });
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 2 ** 50 }),
        fc.integer({ min: 0, max: 1_000 }),
        scales,
        (amount, bps, of) => {
          const quote = quoteOf(amount, share(bps), of);
          if (!quote.ok) return;
          const { fee, amountIn, amountOut } = quote.value;
          const one = (to: number) => 10n ** BigInt(30 - to);
          const whole = BigInt(amount) * one(of.ledger);
          expect(BigInt(amountIn) * one(of.source)).toBe(whole);
          expect(BigInt(amountOut) * one(of.destination) + BigInt(fee) * one(of.ledger)).toBe(whole);
          expect(fee * 10_000).toBeGreaterThanOrEqual(amount * bps);
        },
      ),
    );
  });
});
