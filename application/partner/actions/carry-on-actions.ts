import { database } from '../../../data/database.ts';
import { findStop } from '../../../data/partner/actions/action-right.ts';
import { type CorporateAction, findAction, takeDueActions } from '../../../data/partner/actions/corporate-actions.ts';
import { log } from '../../../durable-objects/log/log.ts';
import { describeBug } from '../../log/describe-bug.ts';
import { carryOnDividend } from './carry-on-dividend.ts';
import { giveBack } from './give-back.ts';
import { liftActionHalts } from './split-security.ts';
import { endReleasedActions, stopAction } from './stop-action.ts';
import { takeEffect } from './take-effect.ts';

/** Actions of one turn of each kind: those that have begun or have not, and wait for something or nothing. */
const ACTIONS_PER_TURN = 20;
/** Steps of one run, each of up to about five queries of D1, of which an invocation has a thousand. */
const STEPS_PER_RUN_MAX = 200;
/** Of one action, so that no large one has the whole run. */
const STEPS_PER_ACTION_MAX = 100;

export interface ActionsBudget {
  readonly stepsMax: number;
}

/**
 * Carries on corporate actions that are due, turn after turn while there is budget. Each step may be repeated and may be cut short anywhere: what the ledger
 * does has an id that follows from the action and the step, and what D1 stores asserts the state that was read, and the right under which the action was announced.
 *
 * @returns whether the budget has ended before the actions
 * @throws AggregateError of the actions that failed, once all were tried
 */
export async function carryOnActions(
  env: Env,
  now: number,
  { stepsMax }: ActionsBudget = { stepsMax: STEPS_PER_RUN_MAX },
): Promise<boolean> {
  const db = database(env.DB);
  const seen = new Set<string>();
  const failures: unknown[] = [];
  let left = stepsMax;
  for (;;) {
    const due = (await takeDueActions(db, { now, limit: ACTIONS_PER_TURN })).filter((id) => !seen.has(id));
    for (const id of due) {
      if (left <= 0) break;
      seen.add(id);
      try {
        left -= await carryOnAction(env, id, now, Math.min(left, STEPS_PER_ACTION_MAX));
      } catch (error) {
        left -= 1;
        failures.push(error);
      }
    }
    if (due.length === 0 || left <= 0) break;
  }
  await endReleasedActions(env, now);
  await liftActionHalts(env, null, now);
  if (failures.length === 0) return left <= 0;
  const failed = new AggregateError(failures, 'corporate actions failed');
  // One that always fails keeps none of the others from going on at once.
  if (left > 0) throw failed;
  log('error', 'corporate actions failed', describeBug(failed));
  return true;
}

/** Carries one action on, as far as it goes. @returns how many steps that took */
export async function carryOnAction(env: Env, id: string, now: number, stepsMax: number): Promise<number> {
  for (let step = 0; step < stepsMax; step++) {
    const action = await findAction(database(env.DB), id);
    if (action === null || !(await takeStep(env, action, now))) return step + 1;
  }
  return stepsMax;
}

/** @returns whether it went on, so that the next step may */
async function takeStep(env: Env, action: CorporateAction, now: number): Promise<boolean> {
  if (action.state === 'returning') return giveBack(env, action, now);
  const stop = await findStop(database(env.DB), action.id);
  if (stop !== null) return stopAction(env, action, stop, now);
  const { terms } = action;
  return terms.type === 'dividend' ? carryOnDividend(env, action, terms, now) : takeEffect(env, action, terms, now);
}
