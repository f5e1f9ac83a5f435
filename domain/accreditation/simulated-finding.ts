import type { ComplianceFacts } from '../accounts/account.ts';
import type { EvidenceKind } from './evidence.ts';
import type { VerificationFinding } from './verification.ts';

/** US cents, 17 CFR 230.501(a)(5) and (a)(6). */
const NET_WORTH_MIN = 1_000_000_00;
const INCOME_MIN = 200_000_00;

/**
 * What the simulated provider finds: it takes the means that the account states for proven, believes every letter, and knows nobody from before. The
 * same request always gives the same finding.
 */
export function simulatedFinding(
  kind: EvidenceKind,
  { annualIncome, netWorth }: Pick<ComplianceFacts, 'annualIncome' | 'netWorth'>,
  requestedAt: number,
): VerificationFinding {
  const reason = refusalOf(kind, annualIncome, netWorth);
  if (reason !== null) return { type: 'refused', reason };
  return {
    type: 'verified',
    verifier: 'Simulated Verification LLC',
    evidence: `simulated ${kind}`,
    verifiedAt: requestedAt,
    expiresAt: null,
  };
}

function refusalOf(kind: EvidenceKind, annualIncome: number, netWorth: number): string | null {
  switch (kind) {
    case 'income':
      return annualIncome > INCOME_MIN ? null : 'income_not_proven';
    case 'net_worth':
      return netWorth > NET_WORTH_MIN ? null : 'net_worth_not_proven';
    case 'professional_letter':
      return null;
    case 'earlier_verification':
      return 'no_earlier_verification';
  }
}
