import { kycStatusAt } from '../accounts/kyc-status-at.ts';
import { accreditationAt } from '../accreditation/accreditation-at.ts';
import type { AccountFacts } from '../identity/principal.ts';
import { err, ok, type Result } from '../result.ts';

export type TraderFailure =
  | { readonly reason: 'no_account' }
  | { readonly reason: 'kyc_incomplete'; readonly kycStatus: string }
  | { readonly reason: 'account_frozen' };

/** Everything for which the account may not place and amend orders at a time, foremost first. */
export function traderFailures(
  facts: Pick<AccountFacts, 'kycStatus' | 'identityEndsAt' | 'frozen'>,
  now: number,
): TraderFailure[] {
  const failures: TraderFailure[] = [];
  const kycStatus = kycStatusAt(facts, now);
  if (kycStatus !== 'completed') failures.push({ reason: 'kyc_incomplete', kycStatus });
  if (facts.frozen) failures.push({ reason: 'account_frozen' });
  return failures;
}

/** The facts, as they are judged then, of an account that may place and amend orders at a time, or why it may not (docs/design/matching.md#order-validation). */
export function traderOf(facts: AccountFacts | null, now: number): Result<AccountFacts, TraderFailure> {
  if (facts === null) return err({ reason: 'no_account' });
  const [failure] = traderFailures(facts, now);
  return failure === undefined ? ok(accreditationAt(facts, now)) : err(failure);
}
