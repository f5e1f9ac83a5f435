import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { amountText, amountTextFault } from './amount-text.ts';

describe('R-03: an amount that was sent as text', () => {
  test.each([
    ['250', 0],
    ['250.00', 0],
    ['1000', 0],
    ['007', 0],
    ['0.25', 2],
    ['99.9', 2],
    ['1234.567', 3],
    ['0.250', 3],
    ['01.250', 3],
    ['1.2500', 4],
  ])('%s is taken where %i decimals are counted', (text, scale) => {
    expect(amountTextFault(text, scale)).toBeNull();
  });

  test.each([
    ['1.000', 0, 'may mean 1000'],
    ['12.000', 0, 'may mean 12000'],
    ['1.000', 2, 'may mean 1000'],
    ['1.250', 3, 'may mean 1250'],
    ['999.999', 6, 'may mean 999999'],
    ['250.0', 0, 'decimals'],
    ['250.000', 2, 'may mean 250000'],
    ['1234.000', 2, 'decimals'],
    ['0.125', 2, 'decimals'],
    ['1,000', 0, 'comma'],
    ['1,5', 1, 'comma'],
    ['1.000,00', 2, 'comma'],
    ['1,000.00', 2, 'comma'],
    ['1٬000', 0, 'comma'],
    ['1 000', 0, 'space'],
    ['1\u00a0000', 0, 'space'],
    ['1\u2009000', 0, 'space'],
    ['1\u202f000', 0, 'space'],
    [' 250', 0, 'space'],
    ['1’000', 0, 'apostrophe'],
    ["1'000", 0, 'apostrophe'],
    ['1_000', 0, 'apostrophe'],
    ['1e3', 0, 'exponent'],
    ['1.0E+3', 0, 'exponent'],
    ['$250', 0, 'currency'],
    ['250€', 2, 'currency'],
    ['=250', 0, 'formula'],
    ['=SUM(A1:A9)', 0, 'formula'],
    ['@A1', 0, 'formula'],
    ['+250', 0, 'sign'],
    ['-250', 0, 'sign'],
    ['−250', 0, 'sign'],
    ['(250)', 0, 'sign'],
    ['٢٥٠', 0, 'digits'],
    ['२५०', 0, 'digits'],
    ['２５０', 0, 'digits'],
    ['250 shares', 0, 'space'],
    ['250.', 0, 'number'],
    ['.5', 1, 'number'],
    ['1.000.000', 0, 'number'],
    ['0x10', 0, 'number'],
    ['Infinity', 0, 'number'],
  ])('%s is refused where %i decimals are counted, with the reason', (text, scale, reason) => {
    expect(amountTextFault(text, scale)).toContain(reason);
  });

  test('is never one that reads otherwise with a point for thousands', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10_000_000 }),
        fc.nat({ max: 8 }),
        fc.nat({ max: 8 }),
        (units, at, scale) => {
          const text = (units / 10 ** at).toFixed(at);
          if (amountTextFault(text, scale) !== null) return;
          expect(text).not.toMatch(/^[1-9]\d{0,2}(\.\d{3})+$/);
        },
      ),
    );
  });

  test('of a decimal of our own is taken, whatever its decimals', () => {
    for (const decimal of ['1.25', '1.250', '1234.567', '999.999', '0.001', '5'])
      expect([amountTextFault(amountText(decimal), 3), Number(amountText(decimal))]).toEqual([null, Number(decimal)]);
  });
});
