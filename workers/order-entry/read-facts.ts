import { database } from '../../data/database.ts';
import { findUserFacts } from '../../data/identity/gate-facts.ts';
import type { AccountFacts, Principal } from '../middleware/principal.ts';

/** The facts of the caller's account as they stand now: admission has found those of the credential out of date. */
export async function readFacts(env: Env, { userId }: Principal): Promise<AccountFacts | null> {
  return (await findUserFacts(database(env.DB), userId))?.account ?? null;
}
