import { findOperatorChange, type OperatorAction } from '../../../data/audit/trail/operator-events.ts';
import { database } from '../../../data/database.ts';
import { type ActionChange, changeAction, hasPaidHolders } from '../../../data/partner/actions/change-action.ts';
import { type CorporateAction, findAction, findActionOf } from '../../../data/partner/actions/corporate-actions.ts';
import { ownsAccount } from '../../../data/partner/investors.ts';
import type { PartnerOrganization } from '../../../data/partner/organizations.ts';
import { findSecurity } from '../../../data/partner/securities.ts';
import { DAY_MS } from '../../../domain/calendar/durations.ts';
import { ACTION_STATES, type ActionStep, actionStateAfter } from '../../../domain/corporate-actions/action-state.ts';
import { actionKind, stockOf, takesShares } from '../../../domain/corporate-actions/corporate-action.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import type { ActionsEnv } from './actions-env.ts';
import { letGoOf } from './stop-action.ts';

export type ActionActError =
  | { readonly reason: 'action_not_found' }
  | { readonly reason: 'account_not_found' }
  /** The account that is named now has paid holders already. */
  | { readonly reason: 'payer_has_paid' }
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
  const change = { type: 'partner.action_cancelled', change: { reason, endedAt: now }, under: 'agent', now } as const;
  const cancelled = await act(env, { of: agent, id, step: 'cancel' }, change, by);
  if (!cancelled.ok) return cancelled;
  await letGoOf(env, cancelled.value, now);
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
  // When it was completed stays: what is taken back of nobody begins no days anew.
  const written = { reason, reversedAt: now };
  const change = { type: 'partner.dividend_reversed', change: written, under: 'step', now } as const;
  return act(env, { of: agent, id, step: 'reverse' }, change, by);
}

/** The lister says which account of its investors pays a dividend, and how much at most, in smallest units of the currency. */
export async function namePaymentAccount(
  env: ActionsEnv,
  lister: PartnerOrganization,
  { id, account, amountMax }: { readonly id: string; readonly account: string; readonly amountMax: number | null },
  by: OperatorAction,
): Promise<Acted> {
  const db = database(env.DB);
  if (!(await ownsAccount(db, lister.organization, account))) return err({ reason: 'account_not_found' });
  const action = await findActionOf(db, lister, id);
  if (action === null || (await findSecurity(db, action.security))?.organization !== lister.organization)
    return err({ reason: 'action_not_found' });
  const now = Date.now();
  const consent = takesShares(action.terms) ? { consentedAt: action.consentedAt ?? now } : {};
  const change = { paymentAccount: account, amountMax, ...consent };
  const written = { type: 'partner.payment_account_named', change, now };
  const acted = await act(env, { of: lister, id, step: 'name' }, written, by);
  if (acted.ok || acted.error.reason !== 'wrong_state') return acted;
  const { terms, state, paymentAccount } = acted.error.action;
  const isOther = paymentAccount !== account && actionStateAfter(actionKind(terms), state, 'name') !== null;
  return isOther && (await hasPaidHolders(db, id)) ? err({ reason: 'payer_has_paid' }) : acted;
}

/** A lister agrees that shares end or are divided down, or that those of its security are given for them: for each of the two that is its own. */
export async function consentToAction(
  env: ActionsEnv,
  lister: PartnerOrganization,
  id: string,
  by: OperatorAction,
): Promise<Acted> {
  const db = database(env.DB);
  const action = await findActionOf(db, lister, id);
  if (action === null) return err({ reason: 'action_not_found' });
  if (!takesShares(action.terms)) return err({ reason: 'wrong_type', action });
  const now = Date.now();
  const isOf = async (security: string | undefined) =>
    security !== undefined && (await findSecurity(db, security))?.organization === lister.organization;
  const change = {
    ...((await isOf(action.security)) ? { consentedAt: action.consentedAt ?? now } : {}),
    ...((await isOf(stockOf(action.terms)?.survivor))
      ? { survivorConsentedAt: action.survivorConsentedAt ?? now }
      : {}),
  };
  return act(env, { of: lister, id, step: 'consent' }, { type: 'partner.action_consented', change, now }, by);
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
