import type { ComplianceFacts } from '../accounts/account.ts';
import { ATTRIBUTE } from '../orders/eligibility.ts';

/** The compliance facts of an account that decide what its owner is. */
export type InvestorFacts = Pick<ComplianceFacts, 'accreditationStatus' | 'accreditationType' | 'usPerson'>;

/** What an account's owner is, as the bitset that each of its orders carries. Verified accreditation satisfies 506(b) too. */
export function attributesOf(facts: InvestorFacts): number {
  const residence = facts.usPerson ? 0 : ATTRIBUTE.non_us;
  return residence | accreditationOf(facts);
}

/** Accreditation counts only when `completed`. */
function accreditationOf(facts: InvestorFacts): number {
  if (facts.accreditationStatus !== 'completed') return 0;
  switch (facts.accreditationType) {
    case '506c':
      return ATTRIBUTE.verified_accredited | ATTRIBUTE.self_certified_accredited;
    case '506b':
      return ATTRIBUTE.self_certified_accredited;
    case null:
      return 0;
  }
}
