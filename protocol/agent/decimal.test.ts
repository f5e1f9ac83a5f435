import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainNumber } from '../../domain/money/plain-number.ts';
import { Decimal, numberOfDecimal } from './decimal.ts';

describe('numbers of tools', () => {
  it.each([
    [0, '0'],
    [1e-7, '0.0000001'],
    [-1.5e-9, '-0.0000000015'],
    [1.25e21, '1250000000000000000000'],
    [25.5, '25.5'],
  ])('%d is given as the plain decimal text %s', (value, text) => {
    expect(plainNumber(value)).toBe(text);
  });

  it('as text stand for the same number again', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true, min: 0, minExcluded: true }), (value) => {
        expect(Number(plainNumber(value))).toBe(value);
        expect(plainNumber(value)).not.toContain('e');
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

  it.each([
    ['1,000', 'has separators: write digits and one point alone, such as 1000.5'],
    ['1 000', 'has separators: write digits and one point alone, such as 1000.5'],
    ['1.000.5', 'has separators: write digits and one point alone, such as 1000.5'],
    ['1e0', 'has an exponent: write all digits'],
    ['1.5E-3', 'has an exponent: write all digits'],
    ['.5', 'lacks a digit before the point, as in 0.5'],
    ['5.', 'lacks a digit behind the point'],
    ['01', 'has zeros in front of it'],
    ['+1', 'has a sign: write it without'],
    [' 1', 'has spaces around it'],
    ['', 'is empty'],
    ['-1', 'is not above 0'],
    ['0.0', 'is not above 0'],
    ['ten', 'is not a decimal number'],
    ['1'.repeat(33), 'is longer than 32 characters'],
    ['9007199254740993', 'has more digits than a JSON number carries'],
    [0, 'is not above 0'],
    [Number.POSITIVE_INFINITY, 'is not above 0'],
    [true, 'is neither a number nor decimal text'],
    [null, 'is neither a number nor decimal text'],
    [undefined, 'is missing'],
  ])('X-14: %j is refused with its own reason', (amount, reason) => {
    expect(Decimal.safeParse(amount).error?.issues.map(({ message }) => message)).toEqual([reason]);
  });
});
