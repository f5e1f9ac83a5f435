import { uuidv7 } from 'uuidv7';
import { database } from '../../data/database.ts';
import { expireHeld, listOutdatedHeld } from '../../data/onboarding/held-approvals.ts';
import { expireApproval, listOutdatedApprovals } from '../../data/onboarding/identities.ts';
import { eachAlone } from '../log/each-alone.ts';
import { applyIdentityDecision, EXPIRY_ACTOR } from './verify-identity.ts';

const EXPIRED_PER_RUN_MAX = 50;

/**
 * Every five minutes: approvals whose provider's word is out of date count for nothing any more, with what that does to open orders, and the person is told. So do approvals of before
 * whose renewal is not decided yet. One that fails keeps back none of the others, and is carried on with the other decisions.
 *
 * @returns whether there may be more: the next run begins at once
 */
export async function expireIdentities(env: Env, now = Date.now()): Promise<boolean> {
  const db = database(env.DB);
  const approvals = await expireEach(env, await listOutdatedApprovals(db, now, EXPIRED_PER_RUN_MAX), (end) =>
    expireApproval(db, end, now),
  );
  const held = await expireEach(env, await listOutdatedHeld(db, now, EXPIRED_PER_RUN_MAX), (end) =>
    expireHeld(db, end, now),
  );
  return approvals || held;
}

interface End {
  readonly id: string;
  readonly changeId: string;
  readonly decidedBy: string;
}

/** @returns whether that was a whole page, of which an account follows: while none can, the others wait here, and not among all that is to be carried on */
async function expireEach(env: Env, ids: readonly string[], expire: (end: End) => Promise<boolean>): Promise<boolean> {
  let ended = 0;
  const each = { idOf: (id: string) => id, failure: 'the end of an approval was not carried out yet' };
  await eachAlone(ids, each, async (id) => {
    if (!(await expire({ id, changeId: uuidv7(), decidedBy: EXPIRY_ACTOR }))) return;
    if (await applyIdentityDecision(env, id)) ended++;
  });
  return ended > 0 && ids.length === EXPIRED_PER_RUN_MAX;
}
