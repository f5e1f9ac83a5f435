import { describe, expect, test } from 'vitest';
import { restrictionEnd } from './restriction-end.ts';

const acquired = Date.parse('2026-01-15T00:00:00Z');
const yearLater = Date.parse('2027-01-15T00:00:00Z');

describe('resale hold periods', () => {
  test.each(['reg_d_506b', 'reg_d_506c', 'reg_cf'] as const)('%s holds 12 months', (offering) => {
    expect(restrictionEnd(offering, acquired, true)).toBe(yearLater);
    expect(restrictionEnd(offering, acquired, false)).toBe(yearLater);
  });

  test('Reg S holds 12 months for US investors alone', () => {
    expect(restrictionEnd('reg_s', acquired, true)).toBe(yearLater);
    expect(restrictionEnd('reg_s', acquired, false)).toBeNull();
  });

  test.each(['reg_a', 'retail'] as const)('%s has no hold', (offering) => {
    expect(restrictionEnd(offering, acquired, true)).toBeNull();
  });
});
