import { describe, expect, test } from 'vitest';
import {
  type AccreditationGround,
  accreditationEndsAt,
  accreditationOf,
  verificationFailure,
} from './accreditation-record.ts';

const now = Date.parse('2026-06-15T00:00:00Z');
const verified: AccreditationGround = { kind: 'third_party', expiresAt: now + 1, endedAt: null };
const attested: AccreditationGround = { kind: 'self_attestation', expiresAt: null, endedAt: null };
const typeOf = (...records: AccreditationGround[]) => {
  const { accreditationStatus, accreditationType } = accreditationOf(records, now);
  return `${accreditationStatus} ${accreditationType}`;
};

describe('what an accreditation rests on', () => {
  test('a verification by a third party goes before the own attestation', () => {
    expect(typeOf()).toBe('none null');
    expect(typeOf(attested)).toBe('completed 506b');
    expect(typeOf(attested, verified)).toBe('completed 506c');
  });

  test('a verification ends at its expiry, and leaves the attestation', () => {
    const expired = { ...verified, expiresAt: now };
    expect(typeOf(expired)).toBe('expired 506c');
    expect(typeOf(expired, attested)).toBe('completed 506b');
    expect(typeOf(expired, verified)).toBe('completed 506c');
  });

  test('what an operator has ended counts for nothing', () => {
    expect(typeOf({ ...verified, endedAt: 1 }, { ...attested, endedAt: 1 })).toBe('none null');
  });

  test('it lasts until the last end of what it rests on', () => {
    const later = { ...verified, expiresAt: now + 2 };
    expect(accreditationEndsAt([verified, later, attested], '506c', now)).toBe(now + 2);
    expect(accreditationEndsAt([verified, { ...later, endedAt: 1 }], '506c', now)).toBe(now + 1);
    expect(accreditationEndsAt([verified, attested], '506b', now)).toBeNull();
    expect(accreditationEndsAt([{ ...verified, expiresAt: now }], '506c', now)).toBeNull();
  });
});

describe('17 CFR 230.506(c)(2)(ii): a verification by a third party', () => {
  const at = (text: string) => Date.parse(text);
  test.each([
    ['is of the last three months', '2026-03-15T00:00:00Z', '2027-01-01T00:00:00Z', null],
    ['may not be older', '2026-03-14T00:00:00Z', '2027-01-01T00:00:00Z', 'too_old'],
    ['is not of the future', '2026-06-16T00:00:00Z', '2027-01-01T00:00:00Z', 'in_the_future'],
    ['may be of this moment', '2026-06-15T00:00:00Z', '2027-01-01T00:00:00Z', null],
    ['has not expired', '2026-06-01T00:00:00Z', '2026-06-15T00:00:00Z', 'expired'],
    ['stands for five years at most', '2026-06-01T00:00:00Z', '2031-06-01T00:00:00Z', null],
    ['and no longer', '2026-06-01T00:00:00Z', '2031-06-02T00:00:00Z', 'valid_too_long'],
  ])('%s', (_, verifiedAt, expiresAt, failure) => {
    const terms = { verifiedAt: at(verifiedAt), expiresAt: at(expiresAt), evidenceKind: null };
    expect(verificationFailure(terms, now)).toBe(failure);
  });

  test.each([
    ['income', 90],
    ['net_worth', 90],
    ['professional_letter', 90],
    ['earlier_verification', 1_826],
  ] as const)('one by %s stands for %d days', (evidenceKind, days) => {
    const verifiedAt = at('2026-06-01T00:00:00Z');
    const until = (day: number) =>
      verificationFailure({ verifiedAt, expiresAt: verifiedAt + day * 86_400_000, evidenceKind }, now);
    expect(until(days)).toBeNull();
    expect(until(days + 1)).toBe('valid_too_long');
  });
});
