import type { ComplianceFacts } from './account.ts';

type TradingFacts = Pick<
  ComplianceFacts,
  'kycStatus' | 'accreditationStatus' | 'accreditationType' | 'usPerson' | 'frozen'
>;

/**
 * Whether a change of facts takes away something that an open order may have been admitted under. Such a change cancels open orders
 * (docs/design/ledger.md#cancellations). Becoming a US person is one: Regulation S no longer covers the holder.
 */
export function revokes(before: TradingFacts, after: TradingFacts): boolean {
  if (after.frozen || after.kycStatus !== 'completed') return true;
  return accreditationRank(after) < accreditationRank(before) || (!before.usPerson && after.usPerson);
}

/** Verified accreditation satisfies what self-certification does (docs/design/matching.md#eligibility). */
function accreditationRank(facts: TradingFacts): number {
  if (facts.accreditationStatus !== 'completed') return 0;
  switch (facts.accreditationType) {
    case null:
      return 0;
    case '506b':
      return 1;
    case '506c':
      return 2;
  }
}
