import type { AccountFacts } from '../identity/principal.ts';
import { err, ok, type Result } from '../result.ts';

export type TraderFailure =
  | { readonly reason: 'no_account' }
  | { readonly reason: 'kyc_incomplete'; readonly kycStatus: string }
  | { readonly reason: 'account_frozen' };

/** Everything for which the account may not place and amend orders, foremost first. */
export function traderFailures({ kycStatus, frozen }: Pick<AccountFacts, 'kycStatus' | 'frozen'>): TraderFailure[] {
  const failures: TraderFailure[] = [];
  if (kycStatus !== 'completed') failures.push({ reason: 'kyc_incomplete', kycStatus });
  if (frozen) failures.push({ reason: 'account_frozen' });
  return failures;
}

/** The facts of an account that may place and amend orders, or why it may not (docs/design/matching.md#order-validation). */
export function traderOf(facts: AccountFacts | null): Result<AccountFacts, TraderFailure> {
  if (facts === null) return err({ reason: 'no_account' });
  const [failure] = traderFailures(facts);
  return failure === undefined ? ok(facts) : err(failure);
}
