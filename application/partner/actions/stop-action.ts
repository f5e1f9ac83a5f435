import { database } from '../../../data/database.ts';
import { changeAction } from '../../../data/partner/actions/change-action.ts';
import {
  beginReturning,
  type CorporateAction,
  findAction,
  nextAttempt,
  releasedActions,
} from '../../../data/partner/actions/corporate-actions.ts';
import { beginAgain } from '../../../data/partner/actions/merger-actions.ts';
import { type ActionStop, actionStateAfter } from '../../../domain/corporate-actions/action-state.ts';
import { actionKind } from '../../../domain/corporate-actions/corporate-action.ts';
import { releaseAttempts } from '../register/end-shares.ts';
import { giveUpSplit, releaseSplit } from '../register/split-shares.ts';
import { giveUpCancellation } from './cancel-by-action.ts';
import { wait } from './pay-holders.ts';
import { actionOf, liftActionHalts, splitEventId } from './split-security.ts';

/**
 * An action that may take no step: what has begun is given up, what was paid in goes back, and it waits as it was announced. Where its agent was released it ends.
 *
 * @returns whether it went on, so that the next step may
 */
export async function stopAction(env: Env, action: CorporateAction, stop: ActionStop, now: number): Promise<boolean> {
  const db = database(env.DB);
  const { id, type, state, security, terms } = action;
  if (actionStateAfter(actionKind(terms), state, 'give_back') !== null) return beginReturning(db, action);
  if (type === 'merger' && state !== 'announced') {
    await beginAgain(db, action, stop);
    await releaseAttempts(env, action);
    return true;
  }
  if (type === 'stock_split' && state === 'effective') {
    if (!(await giveUpSplit(env, { id: splitEventId(id), security }))) return false;
    await nextAttempt(db, action, { state: 'announced', waiting: stop });
    return true;
  }
  if (type === 'share_cancellation' && state === 'effective') return giveUpCancellation(env, action, stop);
  if (stop !== 'agent_released') return wait(env, action, stop);
  await endReleased(env, action, now);
  return false;
}

const ENDED_PER_RUN = 20;

/** Ends actions that nothing has begun of and whose agent was released, due or not: another agent announces its own. */
export async function endReleasedActions(env: Env, now: number): Promise<void> {
  const db = database(env.DB);
  for (const id of await releasedActions(db, ENDED_PER_RUN)) {
    const action = await findAction(db, id);
    if (action !== null) await endReleased(env, action, now);
  }
}

async function endReleased(env: Env, action: CorporateAction, now: number): Promise<void> {
  const change = { state: 'cancelled', reason: 'its transfer agent was released', endedAt: now } as const;
  const by = actionOf({ id: action.id, actor: 'corporate-actions' }, 'released');
  if (await changeAction(database(env.DB), action, { type: 'partner.action_cancelled', change, now }, by))
    await letGoOf(env, action, now);
}

/** What a cancelled action has held still moves again, and what it has halted trades. A crash before leaves the former to the job of the registers, the latter to that of the actions. */
export async function letGoOf(env: Env, action: CorporateAction, now: number): Promise<void> {
  const { id, type, security } = action;
  if (type === 'stock_split' && !(await giveUpSplit(env, { id: splitEventId(id), security })))
    await releaseSplit(env, { id: splitEventId(id), security });
  if (type === 'merger') await releaseAttempts(env, action);
  await liftActionHalts(env, security, now);
}
