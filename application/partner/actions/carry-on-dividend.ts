import { database } from '../../../data/database.ts';
import {
  askForPart,
  type CorporateAction,
  moveAction,
  nextAttempt,
} from '../../../data/partner/actions/corporate-actions.ts';
import {
  canPay,
  firstPart,
  mostShares,
  recordEntitlements,
  sumIn,
  sumOpen,
  totalsOf,
} from '../../../data/partner/actions/entitlements.ts';
import { shownUpTo } from '../../../data/partner/register/transfer-instructions.ts';
import { findSecurity } from '../../../data/partner/securities.ts';
import type { DividendTerms } from '../../../domain/corporate-actions/corporate-action.ts';
import { AMOUNT_MAX } from '../../../domain/ledger/balances.ts';
import { projected } from '../../ledger/projected.ts';
import { settleBook } from '../../ledger/settle-before-read.ts';
import type { ActionsEnv } from './actions-env.ts';
import { amountsOf, askPayer, computeAmounts, payHolders, returnRest, takeBackPart, wait } from './pay-holders.ts';

/**
 * The next step of a dividend: its holders are recorded, their amounts computed, the payer is asked for all of it, holders are paid in parts; or what they
 * were paid is taken back.
 *
 * @returns whether it went on, so that the next step may
 */
export function carryOnDividend(
  env: ActionsEnv,
  action: CorporateAction,
  terms: DividendTerms,
  now: number,
): Promise<boolean> {
  switch (action.state) {
    case 'announced':
      return recordHolders(env, action, terms, now);
    case 'recorded':
      return prepare(env, action, terms, now);
    case 'funding':
      return fund(env, action, terms, now);
    case 'funded':
      return pay(env, action, terms, now);
    case 'reversing':
      return takeBack(env, action, terms, now);
    case 'effective':
    case 'returning':
    case 'completed':
    case 'cancelled':
    case 'reversed':
      return Promise.resolve(false);
  }
}

/** By what D1 shows once it has all that the ledger knows. */
async function recordHolders(
  env: ActionsEnv,
  action: CorporateAction,
  terms: DividendTerms,
  now: number,
): Promise<boolean> {
  const db = database(env.DB);
  const { recordAt } = action;
  if (recordAt === null || now < recordAt) return false;
  // What its book had matched by then must have settled.
  const market = (await findSecurity(db, action.security))?.market ?? null;
  if (market !== null && !(await settleBook(env, market))) return wait(env, action, 'not_current');
  const shown = (await projected(env)) ? await shownUpTo(db) : null;
  if (shown === null) return wait(env, action, 'not_current');
  const recorded = { ...action, recordAt };
  const most = await mostShares(db, recorded);
  const paysNobody = (await amountsOf(env, action, terms))(most) === 0;
  if (await recordEntitlements(db, recorded, { shown, now, paysNobody })) return true;
  return wait(env, action, 'not_current');
}

/** Computes what holders get; then waits for the payment date, for who pays, and for their money. */
async function prepare(env: ActionsEnv, action: CorporateAction, terms: DividendTerms, now: number): Promise<boolean> {
  const db = database(env.DB);
  if (await computeAmounts(env, action, terms)) return true;
  const { total } = action;
  if (total === null) {
    const { accounts, external } = await totalsOf(db, action.id);
    if (Math.max(accounts, external) > AMOUNT_MAX) return wait(env, action, 'above_amount_max');
    return moveAction(db, action, { total: accounts, externalTotal: external });
  }
  if (now < action.dueAt) return false;
  if (total === 0) return moveAction(db, action, { state: 'completed', endedAt: now });
  const { paymentAccount, amountMax } = action;
  if (paymentAccount === null) return wait(env, action, 'payment_account');
  if (total > (amountMax ?? AMOUNT_MAX)) return wait(env, action, 'above_amount_max');
  if (!(await canPay(db, paymentAccount, terms.currencyAsset, await sumOpen(db, action.id))))
    return wait(env, action, 'insufficient_funds');
  return moveAction(db, action, { state: 'funding' });
}

async function fund(env: ActionsEnv, action: CorporateAction, terms: DividendTerms, now: number): Promise<boolean> {
  const asked = await askPayer(env, action, terms);
  if (asked === 'paid') return moveAction(database(env.DB), action, { state: 'funded', fundedAt: now });
  if (asked === 'refused')
    await nextAttempt(database(env.DB), action, { state: 'recorded', waiting: 'insufficient_funds' });
  return false;
}

async function pay(env: ActionsEnv, action: CorporateAction, terms: DividendTerms, now: number): Promise<boolean> {
  const paid = await payHolders(env, action, terms);
  if (paid !== 'all') return paid === 'more';
  return moveAction(database(env.DB), action, { state: 'completed', endedAt: now });
}

/** A part of what holders were paid; who no longer has it is left out. After the last one, it goes to who has paid. */
async function takeBack(env: ActionsEnv, action: CorporateAction, terms: DividendTerms, now: number): Promise<boolean> {
  const db = database(env.DB);
  const { id, askedPart, reversedAt } = action;
  const at = reversedAt ?? now;
  const part = askedPart ?? (await firstPart(db, id, 'paid'))?.part;
  if (part !== undefined) {
    if (!(await askForPart(db, action, part))) return true;
    return takeBackPart(env, action, terms, part, at);
  }
  const sum = await sumIn(db, id, 'returned');
  if (!(await returnRest(env, action, terms, { step: 'reverse.rest', sum, at }))) return false;
  return moveAction(db, action, { state: 'reversed', endedAt: now });
}
