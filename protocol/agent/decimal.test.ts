import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Decimal, numberOfDecimal } from './decimal.ts';
import { decimalText } from './decimal-text.ts';

describe('numbers of tools', () => {
  it.each([
    [0, '0'],
    [1e-7, '0.0000001'],
    [-1.5e-9, '-0.0000000015'],
    [1.25e21, '1250000000000000000000'],
    [25.5, '25.5'],
  ])('%d is given as the plain decimal text %s', (value, text) => {
    expect(decimalText(value)).toBe(text);
  });

  it('as text stand for the same number again', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true, min: 0, minExcluded: true }), (value) => {
        expect(Number(decimalText(value))).toBe(value);
        expect(decimalText(value)).not.toContain('e');
      }),
    );
  });

  it.each(['10', '25.50', '0.001', 3, 0.25])('%s is taken as an amount', (amount) => {
    expect(numberOfDecimal(Decimal.parse(amount))).toBe(Number(amount));
  });

  it.each([
    'ten',
    '',
    '-1',
    '0',
    '1e5',
    '01',
    '.5',
    '0.1000000000000000055',
    '9007199254740993',
    0,
    -1,
    Number.NaN,
    null,
    true,
  ])('%s is refused, never rounded', (amount) => {
    expect(Decimal.safeParse(amount).success).toBe(false);
  });
});
