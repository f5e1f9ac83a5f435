import { database } from '../../../data/database.ts';
import {
  type CorporateAction,
  moveAction,
  nextAttempt,
  setWaiting,
} from '../../../data/partner/actions/corporate-actions.ts';
import { freeShares } from '../../../data/partner/register/cancellations.ts';
import type { CancellationTerms } from '../../../domain/corporate-actions/corporate-action.ts';
import { tradeEventId } from '../../../domain/partner/trade-event-id.ts';
import { takeShares } from '../register/cancel-shares.ts';
import { wait } from './pay-holders.ts';
import { lacksConsent } from './split-security.ts';

/**
 * The next step of a cancellation that is due: its lister has agreed, and the holder has so many shares that nothing holds; then they end in register and ledger, as one event
 * whose id follows from the action and its attempt. What the register refuses has moved nothing, so the action waits as it was announced.
 *
 * @returns whether it went on, so that the next step may
 */
export async function cancelByAction(
  env: Env,
  action: CorporateAction,
  { holder, shares }: CancellationTerms,
  now: number,
): Promise<boolean> {
  const db = database(env.DB);
  const { id, security, attempt, actor, description } = action;
  if (action.state === 'announced') {
    if (now < action.dueAt) return false;
    if (lacksConsent(action)) return wait(env, action, 'lister_consent');
    if ((await freeShares(db, security, holder)) < shares) return wait(env, action, 'shares_held');
    return moveAction(db, action, { state: 'effective', movingAt: now });
  }
  if (action.state !== 'effective') return false;
  // Of no agent: whoever keeps the register by now, what has begun goes to its end.
  const event = { id: tradeEventId(id, `cancellation.${attempt}`), actor, recordDate: null, notes: description, now };
  const taken = await takeShares(env, security, { holder, shares }, event);
  if (taken.ok) return moveAction(db, action, { state: 'completed', endedAt: now });
  switch (taken.error.reason) {
    case 'outcome_unknown':
      return false;
    case 'busy':
    case 'too_many_rows':
    case 'database_full':
    case 'ledger_full':
      await setWaiting(db, action, 'not_current');
      return false;
    default:
      // It stands under this id for good.
      await nextAttempt(db, action, { state: 'announced', waiting: 'shares_held' });
      return false;
  }
}
