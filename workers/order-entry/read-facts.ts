import { database } from '../../data/database.ts';
import { findUserFacts } from '../../data/identity/gate-facts.ts';
import type { AccountFacts, Principal } from '../middleware/principal.ts';

/** Clocks of two machines differ by less. */
const SKEW_MS = 1_000;

/**
 * The facts of the caller's account as they stand now: admission has found those of the credential out of date. Null for a bearer whose
 * tokens were revoked since; a key's state is asserted at admission.
 *
 * @param verifiedAt when the credential was last known to hold, Unix milliseconds
 */
export async function readFacts(
  env: Env,
  { userId, keyId }: Principal,
  verifiedAt: number,
): Promise<AccountFacts | null> {
  const user = await findUserFacts(database(env.DB), userId);
  if (user === null || (keyId === null && user.tokensValidAfter > verifiedAt - SKEW_MS)) return null;
  return user.account;
}
