import { findOperatorChange, type OperatorAction } from '../../../data/audit/trail/operator-events.ts';
import { database } from '../../../data/database.ts';
import { type ActionChange, changeAction } from '../../../data/partner/actions/change-action.ts';
import { type CorporateAction, findAction } from '../../../data/partner/actions/corporate-actions.ts';
import { actionStateAfter } from '../../../domain/corporate-actions/action-state.ts';
import { actionKind } from '../../../domain/corporate-actions/corporate-action.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import { carryOnAction } from './carry-on-actions.ts';
import { letGoOf } from './stop-action.ts';

export type ActionOperationError =
  | { readonly reason: 'action_not_found' }
  /** It has ended. */
  | { readonly reason: 'wrong_state'; readonly action: CorporateAction }
  /** Shares move: it goes to its end by itself. */
  | { readonly reason: 'shares_move'; readonly action: CorporateAction };

type Operated = Result<CorporateAction, ActionOperationError>;

/** What is given up at once; the job goes on. */
const STEPS_AT_ONCE_MAX = 20;

/** An operator holds an action: it takes no step until that is over. What has begun is given up, what was paid in goes back. */
export function holdAction(
  env: Env,
  { id, reason }: { readonly id: string; readonly reason: string },
  by: OperatorAction,
): Promise<Operated> {
  const change = { heldReason: reason };
  return operate(env, id, { type: 'operator.action_held', change, now: Date.now() }, by);
}

/** It goes on from where it was put back to. */
export function releaseAction(env: Env, id: string, by: OperatorAction): Promise<Operated> {
  return operate(env, id, { type: 'operator.action_released', change: { heldReason: null }, now: Date.now() }, by);
}

/** Ends an action in whatever state, for as long as no shares move: what was paid in, and has reached nobody, goes back first. */
export async function endAction(
  env: Env,
  { id, reason }: { readonly id: string; readonly reason: string },
  by: OperatorAction,
): Promise<Operated> {
  const now = Date.now();
  const ended = await operate(env, id, { type: 'operator.action_cancelled', change: { reason }, now }, by, 'end');
  if (ended.ok && ended.value.state === 'cancelled') await letGoOf(env, ended.value, now);
  return ended;
}

async function operate(
  env: Env,
  id: string,
  written: ActionChange,
  by: OperatorAction,
  step: 'end' | null = null,
): Promise<Operated> {
  const db = database(env.DB);
  const action = await findAction(db, id);
  if (action === null) return err({ reason: 'action_not_found' });
  if ((await findOperatorChange(db, by, id)) !== null) return ok(action);
  const state = actionStateAfter(actionKind(action.terms), action.state, 'end');
  if (state === null) return err({ reason: 'wrong_state', action });
  if (action.movingAt !== null) return err({ reason: 'shares_move', action });
  const ended = { state, ...(state === 'cancelled' ? { endedAt: written.now } : {}) };
  const change = { ...written.change, ...(step === null ? {} : ended) };
  const isDone = await changeAction(db, action, { ...written, change }, by);
  if (!isDone) return err({ reason: 'wrong_state', action: (await findAction(db, id)) ?? action });
  await carryOnAction(env, id, written.now, STEPS_AT_ONCE_MAX);
  return ok((await findAction(db, id)) ?? action);
}
