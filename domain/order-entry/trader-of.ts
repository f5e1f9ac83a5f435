import type { AccountFacts } from '../identity/principal.ts';
import { err, ok, type Result } from '../result.ts';

export type TraderFailure =
  | { readonly reason: 'no_account' }
  | { readonly reason: 'kyc_incomplete'; readonly kycStatus: string }
  | { readonly reason: 'account_frozen' };

/** The facts of an account that may place and amend orders, or why it may not (docs/design/matching.md#order-validation). */
export function traderOf(facts: AccountFacts | null): Result<AccountFacts, TraderFailure> {
  if (facts === null) return err({ reason: 'no_account' });
  if (facts.kycStatus !== 'completed') return err({ reason: 'kyc_incomplete', kycStatus: facts.kycStatus });
  return facts.frozen ? err({ reason: 'account_frozen' }) : ok(facts);
}
