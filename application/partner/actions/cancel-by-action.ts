import { database } from '../../../data/database.ts';
import {
  type CorporateAction,
  moveAction,
  putBack,
  setWaiting,
} from '../../../data/partner/actions/corporate-actions.ts';
import { freeShares } from '../../../data/partner/register/cancellations.ts';
import {
  ENDED_BY_OPERATOR,
  findRegisterEvent,
  NOT_ANNOUNCED,
  refuseEvent,
} from '../../../data/partner/register/register-events.ts';
import type { ActionWait } from '../../../domain/corporate-actions/action-state.ts';
import type { CancellationTerms } from '../../../domain/corporate-actions/corporate-action.ts';
import { tradeEventId } from '../../../domain/partner/trade-event-id.ts';
import { takeShares } from '../register/cancel-shares.ts';
import { wait } from './pay-holders.ts';
import { lacksConsent } from './split-security.ts';

/**
 * The next step of a cancellation that is due: its lister has agreed, and the holder has so many shares that nothing holds; then they end in register and ledger, as one event
 * whose id follows from the action and its attempt. Shares move from the announcement of that event on. Whatever keeps it from being announced, or refuses it, has moved nothing:
 * the action waits as it was announced.
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
    return moveAction(db, action, { state: 'effective' });
  }
  if (action.state !== 'effective') return false;
  const event = { id: eventOf(action), action: { id, attempt }, actor, recordDate: null, notes: description, now };
  const taken = await takeShares(env, security, { holder, shares }, event);
  if (taken.ok) return moveAction(db, action, { state: 'completed', endedAt: now });
  switch (taken.error.reason) {
    case 'outcome_unknown':
      return false;
    case 'busy':
    case 'too_many_rows':
    case 'database_full':
    case 'ledger_full':
      await giveUpCancellation(env, action, 'not_current');
      return false;
    case ENDED_BY_OPERATOR:
      // An operator did not mean the next run to begin another one.
      await giveUpCancellation(env, action, 'held_by_operator', 'an operator has ended its event in the register');
      return false;
    default:
      // It stands under this id for good.
      await giveUpCancellation(env, action, 'shares_held');
      return false;
  }
}

/**
 * A cancellation whose shares do not move is as it was announced.
 *
 * @returns false where they move
 */
export async function giveUpCancellation(
  env: Env,
  action: CorporateAction,
  waiting: ActionWait,
  heldReason: string | null = null,
): Promise<boolean> {
  const db = database(env.DB);
  const id = eventOf(action);
  if ((await findRegisterEvent(db, id))?.state === 'staged')
    await refuseEvent(db, { id, state: 'staged' }, NOT_ANNOUNCED);
  if (await putBack(db, action, id, { waiting, heldReason })) return true;
  await setWaiting(db, action, 'not_current');
  return false;
}

/** Of the register's event of an attempt: what was given up is not begun again. */
function eventOf({ id, attempt }: CorporateAction): string {
  return tradeEventId(id, `cancellation.${attempt}`);
}
