import { database } from '../../../data/database.ts';
import { findStop } from '../../../data/partner/actions/action-right.ts';
import { type CorporateAction, moveReturning } from '../../../data/partner/actions/corporate-actions.ts';
import { firstPart, noteReturned, sumIn, sumOpen } from '../../../data/partner/actions/entitlements.ts';
import { beginAgain } from '../../../data/partner/actions/merger-actions.ts';
import { type CashTerms, isPaid } from '../../../domain/corporate-actions/corporate-action.ts';
import {
  askPayer,
  payerTakes,
  payPart,
  payRest,
  returnRest,
  returnToPayer,
  takeBackPart,
  wait,
} from './pay-holders.ts';
import { letGoOf } from './stop-action.ts';

/**
 * The next step of giving back. What the ledger may have been asked for is asked for again, under the same id, so that it is known; then what has reached
 * nobody goes to who has paid. The action waits as before the payer was asked, or ends where somebody has said so.
 *
 * @returns whether it went on, so that the next step may
 */
export async function giveBack(env: Env, action: CorporateAction, now: number): Promise<boolean> {
  const { terms } = action;
  if (!isPaid(terms)) throw new Error(`action ${action.id} has nothing to give back`);
  return action.reversedAt === null ? returnFunds(env, action, terms, now) : endReversal(env, action, terms, now);
}

async function returnFunds(env: Env, action: CorporateAction, terms: CashTerms, now: number): Promise<boolean> {
  const db = database(env.DB);
  const { id, attempt, fundedAt, askedPart } = action;
  if (fundedAt === null) {
    const asked = await askPayer(env, action, terms);
    if (asked === 'later') return false;
    return asked === 'paid' ? moveReturning(db, action, { fundedAt: now }) : leave(env, action, now);
  }
  if (askedPart !== null) return payPart(env, action, terms, askedPart, fundedAt);
  if ((await firstPart(db, id, 'due')) === null) {
    // Everybody was paid before.
    if (!(await payRest(env, action, terms, fundedAt))) return false;
    return moveReturning(db, action, { state: 'completed', endedAt: now });
  }
  const sum = await sumOpen(db, id);
  const returned = await returnToPayer(env, action, terms, { step: `return.${attempt}`, sum, at: now });
  if (returned === 'later') return false;
  if (returned === 'skipped') {
    if (!(await payerTakes(env, action, terms, sum))) return wait(env, action, 'payer_full');
    await moveReturning(db, action, { attempt: attempt + 1, waiting: 'payer_full' });
    return false;
  }
  await noteReturned(db, action, now);
  return leave(env, action, now);
}

/** Holders from whom nothing was taken keep what they were paid. */
async function endReversal(env: Env, action: CorporateAction, terms: CashTerms, now: number): Promise<boolean> {
  const db = database(env.DB);
  const { id, askedPart, reversedAt } = action;
  const at = reversedAt ?? now;
  if (askedPart !== null) return takeBackPart(env, action, terms, askedPart, at);
  const sum = await sumIn(db, id, 'returned');
  if (!(await returnRest(env, action, terms, { step: 'reverse.rest', sum, at }))) return false;
  if (sum > 0) return moveReturning(db, action, { state: 'reversed', endedAt: now });
  return moveReturning(db, action, { state: 'completed', reversedAt: null });
}

async function leave(env: Env, action: CorporateAction, now: number): Promise<boolean> {
  const db = database(env.DB);
  const { id, type, attempt, reason } = action;
  const isEnded = reason !== null;
  const waiting = isEnded ? null : await findStop(db, id);
  if (type === 'merger') await beginAgain(db, action, waiting, isEnded ? now : null);
  else if (isEnded) await moveReturning(db, action, { state: 'cancelled', endedAt: now });
  else await moveReturning(db, action, { state: 'recorded', attempt: attempt + 1, fundedAt: null, waiting });
  if (isEnded || type === 'merger') await letGoOf(env, action, now);
  return !isEnded;
}
