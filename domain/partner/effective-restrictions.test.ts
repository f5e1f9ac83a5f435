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
    expect(effectiveRestrictions(LISTER, { legendRequired: true, transferRestrictions: '' })).toEqual({
      ...LISTER,
      legendRequired: true,
      transferRestrictions: '',
    });
  });

  test.each([
    ['the lister’s, which its agent cannot lift', '2027-01-31', null, '2027-01-31'],
    ['the lister’s, which its agent cannot shorten', '2027-01-31', '2026-12-31', '2027-01-31'],
    ['the agent’s where it is later', '2027-01-31', '2027-02-01', '2027-02-01'],
    ['the agent’s where the lister has none', null, '2027-02-01', '2027-02-01'],
    ['none where neither has one', null, null, null],
  ])('lock shares up until the later day: %s', (_, ofLister, ofAgent, inEffect) => {
    const lister = { ...LISTER, lockUpExpiryDate: ofLister };
    expect(effectiveRestrictions(lister, { lockUpExpiryDate: ofAgent }).lockUpExpiryDate).toBe(inEffect);
  });
});
