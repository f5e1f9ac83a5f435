import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { plainNumber } from './plain-number.ts';

describe('R-05: a number of a table', () => {
  test.each([
    [0, '0'],
    [1e-7, '0.0000001'],
    [1.5e-8, '0.000000015'],
    [-2.25e-7, '-0.000000225'],
    [0.000001, '0.000001'],
    [1e21, '1000000000000000000000'],
    [1.25e21, '1250000000000000000000'],
    [9007199254740991, '9007199254740991'],
  ])('%d is shown as %s', (value, text) => {
    expect(plainNumber(value)).toBe(text);
  });

  test('has no exponent, and is the same number', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const text = plainNumber(value);
        expect(text).toMatch(/^-?\d+(\.\d+)?$/);
        expect(Number(text) + 0).toBe(value + 0);
      }),
    );
  });
});
