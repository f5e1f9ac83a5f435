import type { AccountFacts } from '../../../domain/identity/principal.ts';
import type { OrderEntryFailure } from '../order-entry-failure.ts';

/** Why nobody may place or amend orders for this account (docs/design/matching.md#order-validation), or null. */
export function traderFailure(facts: AccountFacts | null): OrderEntryFailure | null {
  if (facts === null) return { reason: 'no_account' };
  if (facts.kycStatus !== 'completed') return { reason: 'kyc_incomplete', kycStatus: facts.kycStatus };
  return facts.frozen ? { reason: 'account_frozen' } : null;
}
