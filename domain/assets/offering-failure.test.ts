import { expect, test } from 'vitest';
import { offeringFailure } from './offering-failure.ts';

test.each([
  ['reg_d_506c', '506c'],
  ['reg_d_506b', '506b'],
] as const)('a private security under %s carries accreditation type %s and no other', (regulation, required) => {
  const of = (accreditationType: '506b' | '506c' | null) =>
    offeringFailure({ category: 'privates', regulation, accreditationType });
  expect(of(required)).toBeNull();
  expect(of(null)).toEqual({ reason: 'accreditation_does_not_fit', required });
  expect(of(required === '506b' ? '506c' : '506b')).toEqual({ reason: 'accreditation_does_not_fit', required });
});

test('a pre-IPO asset says which accreditation its buyers need', () => {
  expect(offeringFailure({ category: 'pre-ipo', regulation: null, accreditationType: null })).toEqual({
    reason: 'accreditation_missing',
  });
  expect(offeringFailure({ category: 'pre-ipo', regulation: null, accreditationType: '506b' })).toBeNull();
});

test('retail private, public and digital assets are open to any investor', () => {
  expect(offeringFailure({ category: 'privates', regulation: 'retail', accreditationType: null })).toBeNull();
  for (const category of ['stocks', 'fixed-income', 'commodities', 'forex', 'crypto'] as const) {
    expect(offeringFailure({ category, regulation: null, accreditationType: null })).toBeNull();
    expect(offeringFailure({ category, regulation: null, accreditationType: '506c' })).toEqual({
      reason: 'accreditation_not_allowed',
    });
  }
});
