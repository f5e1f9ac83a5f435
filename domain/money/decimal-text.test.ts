import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decimalToScaled, scaledToDecimal } from './decimal-text.ts';

test('a decimal becomes the integer that it stands for, zeros at its end left out', () => {
  expect(decimalToScaled('212.5000', 2)).toEqual({ ok: true, value: 21_250 });
  expect(decimalToScaled('7', 4)).toEqual({ ok: true, value: 70_000 });
  expect(decimalToScaled('-0.5', 1)).toEqual({ ok: true, value: -5 });
  expect(decimalToScaled('-0', 1)).toEqual({ ok: true, value: 0 });
});

test('what a scale cannot hold is refused, not rounded', () => {
  expect(decimalToScaled('0.001', 2)).toEqual({
    ok: false,
    error: { reason: 'too_many_decimals', decimals: 3, decimals_max: 2 },
  });
  expect(decimalToScaled('90071992547409.92', 2)).toEqual({ ok: false, error: { reason: 'too_large' } });
});

test.each(['', '1.', '.5', '1e3', '+1', ' 1', '1,5', 'NaN'])('%j is no decimal', (text) => {
  expect(decimalToScaled(text, 2)).toEqual({ ok: false, error: { reason: 'not_finite' } });
});

test('every scaled integer comes back from its text', () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), fc.integer({ min: 0, max: 12 }), (value, scale) => {
      expect(decimalToScaled(scaledToDecimal(value, scale), scale)).toEqual({ ok: true, value });
    }),
  );
});
