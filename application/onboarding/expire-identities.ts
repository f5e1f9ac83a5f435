import { uuidv7 } from 'uuidv7';
import { database } from '../../data/database.ts';
import { expireHeld, listOutdatedHeld } from '../../data/onboarding/held-approvals.ts';
import { expireApproval, listOutdatedApprovals } from '../../data/onboarding/identities.ts';
import { applyIdentityDecision, EXPIRY_ACTOR } from './verify-identity.ts';

const EXPIRED_PER_RUN_MAX = 50;

/**
 * Every five minutes: approvals whose provider's word is out of date count for nothing any more, with what that does to open orders, and the person is told. So do approvals of before
 * whose renewal is not decided yet. What is left over waits for the next run; an account that does not follow yet is carried on with the other decisions.
 */
export async function expireIdentities(env: Env, now = Date.now()): Promise<void> {
  const db = database(env.DB);
  for (const id of await listOutdatedApprovals(db, now, EXPIRED_PER_RUN_MAX)) {
    if (await expireApproval(db, { id, changeId: uuidv7(), decidedBy: EXPIRY_ACTOR }, now))
      await applyIdentityDecision(env, id);
  }
  for (const id of await listOutdatedHeld(db, now, EXPIRED_PER_RUN_MAX)) {
    if (await expireHeld(db, { id, changeId: uuidv7(), decidedBy: EXPIRY_ACTOR }, now))
      await applyIdentityDecision(env, id);
  }
}
