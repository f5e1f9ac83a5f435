import type { ComplianceFacts } from './account.ts';

/**
 * Whether a change of facts lets somebody do what they may not do as it is: identity verification completed, no US person any more, or more means, by which more may be invested.
 */
export function factsThatGive(before: ComplianceFacts, facts: Partial<ComplianceFacts>): boolean {
  const { kycStatus, usPerson, annualIncome, netWorth } = facts;
  return (
    (kycStatus === 'completed' && before.kycStatus !== 'completed') ||
    (usPerson === false && before.usPerson) ||
    (annualIncome ?? 0) > before.annualIncome ||
    (netWorth ?? 0) > before.netWorth
  );
}
