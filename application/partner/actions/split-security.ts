import type { OperatorAction } from '../../../data/audit/trail/operator-events.ts';
import { database } from '../../../data/database.ts';
import {
  actionHalts,
  type CorporateAction,
  moveAction,
  nextAttempt,
  setWaiting,
} from '../../../data/partner/actions/corporate-actions.ts';
import { findRegisterEvent } from '../../../data/partner/register/register-events.ts';
import { findSecurity } from '../../../data/partner/securities.ts';
import type { ActionWait } from '../../../domain/corporate-actions/action-state.ts';
import { type StockSplitTerms, stockOf, takesShares } from '../../../domain/corporate-actions/corporate-action.ts';
import { tradeEventId } from '../../../domain/partner/trade-event-id.ts';
import { log } from '../../../durable-objects/log/log.ts';
import { settleBook } from '../../ledger/settle-before-read.ts';
import { roundsUpTooMuch, type SplitError, splitShares } from '../register/split-shares.ts';
import { moveSecurity } from '../securities/change-security.ts';
import { wait } from './pay-holders.ts';

/**
 * The next step of a split that is due: its security is halted, which cancels its orders; then its shares are split in register and ledger, as one event
 * whose id follows from the action. What stands in the way is told, and tried again; until the ledger has begun to move, the agent may cancel.
 *
 * @returns whether it went on, so that the next step may
 */
export async function splitSecurity(
  env: Env,
  action: CorporateAction,
  terms: StockSplitTerms,
  now: number,
): Promise<boolean> {
  const db = database(env.DB);
  if (action.state === 'announced') {
    if (now < action.dueAt) return false;
    if (lacksConsent(action)) return wait(env, action, 'lister_consent');
    if (await gainsTooMuch(env, action, terms)) return wait(env, action, 'fractions');
    if (!(await halt(env, action))) return false;
    return moveAction(db, action, { state: 'effective' });
  }
  if (action.state !== 'effective') return false;
  const { id, security, actor } = action;
  const event = splitEventId(id);
  const ratio = { from: terms.ratioFrom, to: terms.ratioTo, fractions: 'round_up' } as const;
  const split = await splitShares(env, { id: event, security, ...ratio, action: id, actor, now });
  if (split.ok) return moveAction(db, action, { state: 'completed', endedAt: now });
  const waiting = waitOf(split.error);
  if (waiting === null) return false;
  const isMoving = (await findRegisterEvent(db, event))?.state === 'announced';
  if (isMoving) await setWaiting(db, action, waiting);
  else await nextAttempt(db, action, { state: 'announced', waiting });
  return false;
}

/** Whether rounding every holder up would give away too much, by what the register has. */
export function gainsTooMuch(
  { DB }: Pick<Env, 'DB'>,
  { security }: CorporateAction,
  { ratioFrom: from, ratioTo: to }: Pick<StockSplitTerms, 'ratioFrom' | 'ratioTo'>,
): Promise<boolean> {
  return roundsUpTooMuch(database(DB), security, { from, to });
}

/** Where holders have fewer shares afterwards, or none, the lister has agreed to that; where they get shares of another security, its lister, too. */
export function lacksConsent({ terms, consentedAt, survivorConsentedAt }: CorporateAction): boolean {
  if (!takesShares(terms)) return false;
  return consentedAt === null || (stockOf(terms) !== null && survivorConsentedAt === null);
}

/** Of the register's event by which the split of an action takes place. */
export function splitEventId(action: string): string {
  return tradeEventId(action, 'split');
}

/** A security that is halted stays with who has halted it. */
export async function halt(env: Env, action: CorporateAction): Promise<boolean> {
  const { security: id, attempt } = action;
  const security = await findSecurity(database(env.DB), id);
  if (security?.state !== 'listed') return true;
  const move = {
    id,
    of: null,
    verb: 'halt',
    by: 'action',
    reason: `${action.type === 'merger' ? 'merger' : 'split'}: ${action.description}`,
  } as const;
  const halted = await moveSecurity(env, move, actionOf(action, `halt.${attempt}`));
  if (!halted.ok) log('warn', 'a security is not halted for its action yet', { security: id, code: halted.error.code });
  // So that orders which the halt has cancelled hold no shares in the ledger.
  if (halted.ok && security.market !== null) await settleBook(env, security.market);
  return halted.ok;
}

const HALTS_PER_RUN = 20;

/** Lifts what actions have halted and no longer need; of one security, or of all. */
export async function liftActionHalts(env: Env, security: string | null, now: number): Promise<void> {
  for (const { id, version } of await actionHalts(database(env.DB), { security, now, limit: HALTS_PER_RUN })) {
    const move = { id, of: null, verb: 'lift', by: 'action', reason: 'the action has ended' } as const;
    const lifted = await moveSecurity(env, move, actionOf({ id, actor: 'corporate-actions' }, `lift.${version}`));
    if (!lifted.ok) log('warn', 'a halt is not lifted yet', { security: id, code: lifted.error.code });
  }
}

export function actionOf({ id, actor }: Pick<CorporateAction, 'id' | 'actor'>, part: string): OperatorAction {
  return { id: tradeEventId(id, part), actor, requestId: id };
}

/** Null where it may be under way: the same again finds out. */
export function waitOf(error: SplitError, refused: ActionWait = 'split_refused'): ActionWait | null {
  switch (error.reason) {
    case 'not_ready':
      return error.missing[0] ?? 'not_current';
    case 'busy':
      return 'not_current';
    case 'ledger_full':
      return 'ledger_full';
    case 'no_register':
    case 'balance_too_large':
    case 'malformed':
      return refused;
    case 'outcome_unknown':
      return null;
    case 'id_conflict':
      throw new Error('the split of an action stands for something else');
  }
}
