import type { ComplianceFacts } from '../accounts/account.ts';

/** Until when an account counts as verified, and what it is after that. */
export interface AccreditationEnd {
  /** Unix milliseconds. */
  readonly endsAt: number;
  /** What stays: what the person has certified themselves (506(b)), which has no end; nothing of what was verified; nothing at all, where an operator has ended it. */
  readonly leaves: 'certified' | 'expired' | 'nothing';
}

interface EndingAccreditation extends Pick<ComplianceFacts, 'accreditationStatus' | 'accreditationType'> {
  /** Left out for none. */
  readonly accreditationEnd?: AccreditationEnd | undefined;
}

/**
 * The facts as they are judged: a verification by a third party whose end has come is none, whether or not the facts have followed yet (17 CFR 230.506(c)(2)(ii)(E);
 * docs/design/compliance.md#verification-by-a-third-party). What stays is what `accreditationOf` makes of the records that are left.
 */
export function accreditationAt<Facts extends EndingAccreditation>(facts: Facts, now: number): Facts {
  const { accreditationStatus, accreditationType, accreditationEnd: end } = facts;
  if (end === undefined || end.endsAt > now) return facts;
  if (accreditationStatus !== 'completed') return facts;
  if (end.leaves === 'nothing') return { ...facts, accreditationStatus: 'none' as const, accreditationType: null };
  if (accreditationType !== '506c') return facts;
  return end.leaves === 'certified'
    ? { ...facts, accreditationType: '506b' as const }
    : { ...facts, accreditationStatus: 'expired' as const };
}
