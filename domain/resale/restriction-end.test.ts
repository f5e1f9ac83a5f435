import { describe, expect, test } from 'vitest';
import { restrictionEnd } from './restriction-end.ts';

const acquired = Date.parse('2026-01-15T00:00:00Z');
const yearLater = Date.parse('2027-01-15T00:00:00Z');

describe('resale hold periods', () => {
  test.each(['reg_d_506b', 'reg_d_506c', 'reg_cf'] as const)('%s holds 12 months', (offering) => {
    expect(restrictionEnd(offering, acquired)).toBe(yearLater);
  });

  test('Reg S keeps a lot from US persons for 12 months, whoever holds it', () => {
    expect(restrictionEnd('reg_s', acquired)).toBe(yearLater);
  });

  test.each(['reg_a', 'retail'] as const)('%s has no hold', (offering) => {
    expect(restrictionEnd(offering, acquired)).toBeNull();
  });
});
