import { findOperatorChange, type OperatorAction } from '../../../data/audit/trail/operator-events.ts';
import { database } from '../../../data/database.ts';
import {
  type ActionChange,
  type CorporateAction,
  changeAction,
  findAction,
  findActionOf,
} from '../../../data/partner/actions/corporate-actions.ts';
import { ownsAccount } from '../../../data/partner/investors.ts';
import type { PartnerOrganization } from '../../../data/partner/organizations.ts';
import { DAY_MS } from '../../../domain/calendar/durations.ts';
import { ACTION_STATES, type ActionStep, actionStateAfter } from '../../../domain/corporate-actions/action-state.ts';
import { actionKind } from '../../../domain/corporate-actions/corporate-action.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import { releaseAttempts } from '../register/end-shares.ts';
import { releaseSplit } from '../register/split-shares.ts';
import type { ActionsEnv } from './actions-env.ts';
import { liftActionHalts, splitEventId } from './split-security.ts';

export type ActionActError =
  | { readonly reason: 'action_not_found' }
  | { readonly reason: 'account_not_found' }
  /** It was paid more than REVERSIBLE_DAYS ago. */
  | { readonly reason: 'too_late' }
  /** No action of its kind takes such a step, in whatever state. */
  | { readonly reason: 'wrong_type'; readonly action: CorporateAction }
  | { readonly reason: 'wrong_state'; readonly action: CorporateAction };

type Acted = Result<CorporateAction, ActionActError>;

/** The agent takes an action back before anything has moved; what it has halted trades again. */
export async function cancelAction(
  env: Env,
  agent: PartnerOrganization,
  { id, reason }: { readonly id: string; readonly reason: string },
  by: OperatorAction,
): Promise<Acted> {
  const now = Date.now();
  const change = { type: 'partner.action_cancelled', change: { reason, endedAt: now }, now };
  const cancelled = await act(env, { of: agent, id, step: 'cancel' }, change, by);
  if (!cancelled.ok) return cancelled;
  const { type, security } = cancelled.value;
  if (type === 'stock_split') await releaseSplit(env, { id: splitEventId(id), security });
  if (type === 'merger') await releaseAttempts(env, cancelled.value);
  await liftActionHalts(env, security, now);
  return cancelled;
}

/** How long after its payment a dividend may be taken back. */
const REVERSIBLE_DAYS = 5;

/** The agent has a dividend that was paid taken back, from those who still have it. */
export async function reverseDividend(
  env: ActionsEnv,
  agent: PartnerOrganization,
  { id, reason }: { readonly id: string; readonly reason: string },
  by: OperatorAction,
): Promise<Acted> {
  const now = Date.now();
  const action = await findActionOf(database(env.DB), agent, id);
  if (action?.state === 'completed' && now > (action.endedAt ?? 0) + REVERSIBLE_DAYS * DAY_MS)
    return err({ reason: 'too_late' });
  const change = { type: 'partner.dividend_reversed', change: { reason, reversedAt: now, endedAt: null }, now };
  return act(env, { of: agent, id, step: 'reverse' }, change, by);
}

/** The lister says which account of its investors pays a dividend, and how much at most, in smallest units of the currency. */
export async function namePaymentAccount(
  env: ActionsEnv,
  lister: PartnerOrganization,
  { id, account, amountMax }: { readonly id: string; readonly account: string; readonly amountMax: number | null },
  by: OperatorAction,
): Promise<Acted> {
  if (!(await ownsAccount(database(env.DB), lister.organization, account))) return err({ reason: 'account_not_found' });
  const change = { paymentAccount: account, amountMax };
  const written = { type: 'partner.payment_account_named', change, now: Date.now() };
  return act(env, { of: lister, id, step: 'name' }, written, by);
}

async function act(
  env: ActionsEnv,
  { of, id, step }: { readonly of: PartnerOrganization; readonly id: string; readonly step: ActionStep },
  written: ActionChange,
  by: OperatorAction,
): Promise<Acted> {
  const db = database(env.DB);
  const action = await findActionOf(db, of, id);
  if (action === null) return err({ reason: 'action_not_found' });
  if ((await findOperatorChange(db, by, id)) !== null) return ok(action);
  const kind = actionKind(action.terms);
  if (ACTION_STATES.every((state) => actionStateAfter(kind, state, step) === null))
    return err({ reason: 'wrong_type', action });
  const state = actionStateAfter(kind, action.state, step);
  if (state === null) return err({ reason: 'wrong_state', action });
  const isDone = await changeAction(db, action, { ...written, change: { ...written.change, state } }, by);
  const current = await findAction(db, id);
  if (current === null) return err({ reason: 'action_not_found' });
  return isDone ? ok(current) : err({ reason: 'wrong_state', action: current });
}
