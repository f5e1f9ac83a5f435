import { database } from '../../../data/database.ts';
import { findAccountFacts, findUserFacts } from '../../../data/identity/gate-facts.ts';
import { hasTokenEnded } from '../../../domain/identity/has-token-ended.ts';
import type { AccountFacts, Principal } from '../../../domain/identity/principal.ts';

/**
 * The facts of the caller's account as they stand now: admission has found those of the credential out of date. Null for a bearer whose
 * tokens were ended since; a key's state is asserted at admission.
 */
export async function readFacts(env: Env, { userId, tokenIssuedAt, facts }: Principal): Promise<AccountFacts | null> {
  const db = database(env.DB);
  const user = await findUserFacts(db, userId);
  if (user === null) return null;
  if (tokenIssuedAt !== null && hasTokenEnded(tokenIssuedAt, user.tokensValidAfter)) return null;
  if (facts === null || user.account?.accountId === facts.accountId) return user.account;
  return findAccountFacts(db, userId, facts.accountId);
}
