import { describe, expect, test } from 'vitest';
import { revokes } from './revokes.ts';

const verified = {
  kycStatus: 'completed',
  accreditationStatus: 'completed',
  accreditationType: '506c',
  usPerson: false,
  frozen: false,
} as const;

describe('a change of facts revokes', () => {
  test.each([
    ['a freeze', { frozen: true }],
    ['identity verification taken back', { kycStatus: 'rejected' }],
    ['accreditation expired', { accreditationStatus: 'expired' }],
    ['verified accreditation lowered to self-certified', { accreditationType: '506b' }],
    ['accreditation type taken away', { accreditationType: null }],
    ['becoming a US person', { usPerson: true }],
  ] as const)('%s', (_, change) => {
    expect(revokes(verified, { ...verified, ...change })).toBe(true);
  });

  test('not when nothing is taken away', () => {
    expect(revokes(verified, verified)).toBe(false);
    expect(revokes({ ...verified, usPerson: true }, verified)).toBe(false);
    expect(revokes({ ...verified, accreditationType: '506b' }, verified)).toBe(false);
    expect(revokes({ ...verified, frozen: true }, verified)).toBe(false);
    expect(revokes({ ...verified, accreditationStatus: 'none' }, { ...verified, accreditationStatus: 'pending' })).toBe(
      false,
    );
  });
});
