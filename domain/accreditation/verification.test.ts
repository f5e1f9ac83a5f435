import { describe, expect, test } from 'vitest';
import { simulatedFinding } from './simulated-finding.ts';
import { stateAt, type VerificationFinding, verifiedTerms } from './verification.ts';

const DAY_MS = 86_400_000;
const now = Date.parse('2026-06-15T00:00:00Z');
const found = (terms: Partial<Extract<VerificationFinding, { type: 'verified' }>>) =>
  ({ type: 'verified', verifier: 'a firm', evidence: 'a vault', verifiedAt: now, expiresAt: null, ...terms }) as const;

describe('what a provider has found makes an accreditation', () => {
  test('that ends with its evidence, or earlier where the provider says so', () => {
    const end = (expiresAt: number | null) => {
      const terms = verifiedTerms(found({ expiresAt }), 'income', now);
      return terms.ok ? terms.value.expiresAt : terms.error;
    };
    expect(end(null)).toBe(now + 90 * DAY_MS);
    expect(end(now + 900 * DAY_MS)).toBe(now + 90 * DAY_MS);
    expect(end(now + 9 * DAY_MS)).toBe(now + 9 * DAY_MS);
  });

  test.each([
    ['of the future', { verifiedAt: now + 1 }, 'in_the_future'],
    ['older than three months', { verifiedAt: now - 100 * DAY_MS }, 'too_old'],
    ['over by now', { verifiedAt: now - 2, expiresAt: now - 1 }, 'expired'],
  ])('none where it is %s', (_, terms, failure) => {
    expect(verifiedTerms(found(terms), 'income', now)).toEqual({ ok: false, error: failure });
  });
});

test('a verification shows EXPIRED from its end on', () => {
  const of = (expiresAt: number) => stateAt({ state: 'VERIFIED', expiresAt }, now);
  expect([of(now + 1), of(now)]).toEqual(['VERIFIED', 'EXPIRED']);
  expect(stateAt({ state: 'REFUSED', expiresAt: null }, now)).toBe('REFUSED');
});

test.each([
  ['income', { annualIncome: 200_000_01 }, 'verified'],
  ['income', { annualIncome: 200_000_00 }, 'refused'],
  ['net_worth', { netWorth: 1_000_000_01 }, 'verified'],
  ['net_worth', { netWorth: 1_000_000_00 }, 'refused'],
  ['professional_letter', {}, 'verified'],
  ['earlier_verification', { annualIncome: 9e9, netWorth: 9e9 }, 'refused'],
] as const)('the simulated provider goes by the means that are stated: %s, %o is %s', (kind, means, type) => {
  expect(simulatedFinding(kind, { annualIncome: 0, netWorth: 0, ...means }, now)).toMatchObject({ type });
});
