import { describe, expect, test } from 'vitest';
import { effectiveRestrictions } from './effective-restrictions.ts';
import type { Restrictions } from './security.ts';

const LISTER: Restrictions = {
  legendRequired: false,
  rule144HoldingPeriodMet: true,
  transferRestrictions: 'right of first refusal',
  lockUpExpiryDate: '2027-01-31',
};

describe('restrictions in effect', () => {
  test('are the lister’s where no agent has stated any', () => {
    expect(effectiveRestrictions(LISTER, null)).toEqual(LISTER);
  });

  test('are the agent’s in every field that it has stated, and the lister’s in the others', () => {
    expect(effectiveRestrictions(LISTER, { legendRequired: true, lockUpExpiryDate: null })).toEqual({
      ...LISTER,
      legendRequired: true,
      lockUpExpiryDate: null,
    });
  });
});
