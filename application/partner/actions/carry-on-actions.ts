import { database } from '../../../data/database.ts';
import { type CorporateAction, findAction, takeDueActions } from '../../../data/partner/actions/corporate-actions.ts';
import { carryOnDividend } from './carry-on-dividend.ts';
import { liftActionHalts } from './split-security.ts';
import { takeEffect } from './take-effect.ts';

/** Actions of one run that wait for nothing, and as many that do; steps of one action. The next run goes on. */
const ACTIONS_PER_RUN = 20;
const STEPS_PER_RUN = 200;

/**
 * Carries on corporate actions that are due. Each step may be repeated and may be cut short anywhere: what the ledger does has an id that follows from the
 * action and the step, and what D1 stores asserts the state that was read.
 *
 * @throws AggregateError of the actions that failed, once all were tried
 */
export async function carryOnActions(env: Env, now: number): Promise<void> {
  const due = await takeDueActions(database(env.DB), { now, limit: ACTIONS_PER_RUN });
  const failures: unknown[] = [];
  for (const id of due) {
    try {
      await carryOn(env, id, now);
    } catch (error) {
      failures.push(error);
    }
  }
  await liftActionHalts(env, null, now);
  if (failures.length > 0) throw new AggregateError(failures, 'corporate actions failed');
}

async function carryOn(env: Env, id: string, now: number): Promise<void> {
  for (let step = 0; step < STEPS_PER_RUN; step++) {
    const action = await findAction(database(env.DB), id);
    if (action === null || !(await takeStep(env, action, now))) return;
  }
}

/** @returns whether it went on, so that the next step may */
function takeStep(env: Env, action: CorporateAction, now: number): Promise<boolean> {
  const { terms } = action;
  return terms.type === 'dividend' ? carryOnDividend(env, action, terms, now) : takeEffect(env, action, terms, now);
}
