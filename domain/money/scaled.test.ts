import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromScaled, toScaled } from './scaled.ts';

describe('a JSON number becomes a scaled integer from its shortest decimal form', () => {
  it.each([
    [585.33, 4, 5_853_300],
    [0.1, 1, 1],
    [1e-7, 8, 10],
    [1.5e21 / 1e21, 1, 15],
    [-2.5, 2, -250],
    [0, 2, 0],
    [100, 0, 100],
  ])('%d at scale %i is %i', (value, scale, expected) => {
    expect(toScaled(value, scale)).toEqual({ ok: true, value: expected });
  });

  it('refuses more decimals than the scale allows, and never rounds', () => {
    expect(toScaled(0.001, 2)).toEqual({
      ok: false,
      error: { reason: 'too_many_decimals', decimals: 3, decimals_max: 2 },
    });
    expect(toScaled(0.1 + 0.2, 8)).toMatchObject({ ok: false, error: { reason: 'too_many_decimals' } });
  });

  it('refuses what is not finite or leaves the exact range', () => {
    expect(toScaled(Number.NaN, 2)).toMatchObject({ ok: false });
    expect(toScaled(Number.POSITIVE_INFINITY, 2)).toMatchObject({ ok: false });
    expect(toScaled(1e15, 2)).toEqual({ ok: false, error: { reason: 'too_large' } });
    expect(toScaled(1e300, 0)).toEqual({ ok: false, error: { reason: 'too_large' } });
  });

  it('comes back as the same number', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), fc.nat(8), (value, scale) => {
        const number = fromScaled(value, scale);
        const back = toScaled(number, scale);
        if (value < 2 ** 50) expect(back).toEqual({ ok: true, value });
      }),
    );
  });
});
