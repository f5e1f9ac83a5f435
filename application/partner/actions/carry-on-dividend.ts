import { scalesOfAssets } from '../../../data/catalog/assets.ts';
import { database } from '../../../data/database.ts';
import {
  type CorporateAction,
  moveAction,
  nextAttempt,
  setWaiting,
} from '../../../data/partner/actions/corporate-actions.ts';
import {
  canPay,
  endPart,
  firstPart,
  nextPart,
  openEntitlements,
  recordEntitlements,
  storeAmounts,
  sumIn,
  totalsOf,
} from '../../../data/partner/actions/entitlements.ts';
import { shownUpTo } from '../../../data/partner/register/transfer-instructions.ts';
import { findSecurity } from '../../../data/partner/securities.ts';
import type { DividendTerms } from '../../../domain/corporate-actions/corporate-action.ts';
import { dividendAmount } from '../../../domain/corporate-actions/dividend-amount.ts';
import { AMOUNT_MAX } from '../../../domain/ledger/balances.ts';
import { DISTRIBUTION_LEGS_MAX } from '../../../domain/ledger/distributions.ts';
import type { SkippedLeg } from '../../../domain/ledger/outcomes.ts';
import type { DistributionLeg } from '../../../domain/ledger/transactions.ts';
import { tradeEventId } from '../../../domain/partner/trade-event-id.ts';
import { projected } from '../../ledger/projected.ts';
import { settleBook } from '../../ledger/settle-before-read.ts';
import { transact } from '../../ledger/transact.ts';
import type { ActionsEnv } from './actions-env.ts';

const COMPUTED_PER_STEP = 4 * DISTRIBUTION_LEGS_MAX;

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
      return recordHolders(env, action, now);
    case 'recorded':
      return prepare(env, action, terms, now);
    case 'funding':
      return fund(env, action, terms, now);
    case 'funded':
      return pay(env, action, terms, now);
    case 'reversing':
      return takeBack(env, action, terms, now);
    case 'effective':
    case 'completed':
    case 'cancelled':
    case 'reversed':
      return Promise.resolve(false);
  }
}

/** By what D1 shows once it has all that the ledger knows. */
async function recordHolders(env: ActionsEnv, action: CorporateAction, now: number): Promise<boolean> {
  const db = database(env.DB);
  const { recordAt } = action;
  if (recordAt === null || now < recordAt) return false;
  // What its book had matched by then must have settled.
  const market = (await findSecurity(db, action.security))?.market ?? null;
  if (market !== null && !(await settleBook(env, market))) return wait(env, action, 'not_current');
  const shown = (await projected(env)) ? await shownUpTo(db) : null;
  if (shown !== null && (await recordEntitlements(db, { ...action, recordAt }, shown, now))) return true;
  return wait(env, action, 'not_current');
}

/** Computes what holders get; then waits for the payment date, for who pays, and for their money. */
async function prepare(env: ActionsEnv, action: CorporateAction, terms: DividendTerms, now: number): Promise<boolean> {
  const db = database(env.DB);
  const open = await openEntitlements(db, action.id, COMPUTED_PER_STEP);
  if (open.length > 0) {
    await computeAmounts(env, action, terms, open);
    return true;
  }
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
  if (!(await canPay(db, paymentAccount, terms.currencyAsset, total))) return wait(env, action, 'insufficient_funds');
  return moveAction(db, action, { state: 'funding' });
}

async function computeAmounts(
  env: ActionsEnv,
  { id, security }: CorporateAction,
  { amountPerShare, currencyAsset }: DividendTerms,
  open: Awaited<ReturnType<typeof openEntitlements>>,
): Promise<void> {
  const db = database(env.DB);
  const scales = await scalesOfAssets(db, [security, currencyAsset]);
  const [shareScale, cashScale] = [scales.get(security), scales.get(currencyAsset)];
  if (shareScale === undefined || cashScale === undefined) throw new Error(`the assets of action ${id} are gone`);
  const first = await nextPart(db, id);
  let due = 0;
  const amounts = open.map(({ payee, account, shares }) => {
    // What is more than an amount may be keeps the whole from being paid.
    const amount = dividendAmount(shares, amountPerShare, { shareScale, cashScale }) ?? Number.MAX_SAFE_INTEGER;
    if (account === null || amount === 0) return { payee, amount, part: null };
    const part = first + Math.floor(due / DISTRIBUTION_LEGS_MAX);
    due += 1;
    return { payee, amount, part };
  });
  await storeAmounts(db, id, amounts);
}

/** All of it leaves the payer's account before anybody gets something: a dividend that has begun does not run dry. */
async function fund(env: ActionsEnv, action: CorporateAction, terms: DividendTerms, now: number): Promise<boolean> {
  const db = database(env.DB);
  const { paymentAccount, total, attempt, dueAt } = action;
  if (paymentAccount === null || total === null) throw new Error(`nobody pays action ${action.id}`);
  const legs = [{ account: paymentAccount, change: -total }];
  const skipped = await distribute(env, action, terms, { step: `fund.${attempt}`, legs, at: dueAt });
  if (skipped === null) return false;
  if (skipped.length === 0) return moveAction(db, action, { state: 'funded', fundedAt: now });
  await nextAttempt(db, action, { state: 'recorded', waiting: 'insufficient_funds' });
  return false;
}

/** A part of the holders; after the last one, what could not be paid goes back to who has paid. */
async function pay(env: ActionsEnv, action: CorporateAction, terms: DividendTerms, now: number): Promise<boolean> {
  const db = database(env.DB);
  const { id, fundedAt, dueAt } = action;
  const at = fundedAt ?? dueAt;
  const next = await firstPart(db, id, 'due');
  if (next !== null) {
    const legs = next.rows.map(({ account, amount }) => ({ account, change: amount }));
    const skipped = await distribute(env, action, terms, { step: `pay.${next.part}`, legs, at });
    if (skipped === null) return false;
    await endPart(db, id, next.part, { from: 'due', to: 'paid', leftOut: 'unpaid', at }, skipped);
    return true;
  }
  const sum = await sumIn(db, id, 'unpaid');
  if (!(await returnToPayer(env, action, terms, { step: 'pay.rest', sum, at }))) return false;
  return moveAction(db, action, { state: 'completed', endedAt: now });
}

/** A part of what holders were paid; who no longer has it is left out. After the last one, it goes to who has paid. */
async function takeBack(env: ActionsEnv, action: CorporateAction, terms: DividendTerms, now: number): Promise<boolean> {
  const db = database(env.DB);
  const { id, reversedAt } = action;
  const at = reversedAt ?? now;
  const next = await firstPart(db, id, 'paid');
  if (next !== null) {
    const legs = next.rows.map(({ account, amount }) => ({ account, change: -amount }));
    const skipped = await distribute(env, action, terms, { step: `reverse.${next.part}`, legs, at });
    if (skipped === null) return false;
    await endPart(db, id, next.part, { from: 'paid', to: 'returned', leftOut: 'not_returned', at }, skipped);
    return true;
  }
  const sum = await sumIn(db, id, 'returned');
  if (!(await returnToPayer(env, action, terms, { step: 'reverse.rest', sum, at }))) return false;
  return moveAction(db, action, { state: 'reversed', endedAt: now });
}

async function returnToPayer(
  env: ActionsEnv,
  action: CorporateAction,
  terms: DividendTerms,
  { step, sum, at }: { readonly step: string; readonly sum: number; readonly at: number },
): Promise<boolean> {
  if (sum === 0 || action.paymentAccount === null) return true;
  const legs = [{ account: action.paymentAccount, change: sum }];
  const skipped = await distribute(env, action, terms, { step, legs, at });
  return skipped !== null && skipped.length === 0;
}

/** @returns the legs that were left out, the same on every repetition; null where the ledger was out of reach */
async function distribute(
  env: ActionsEnv,
  { id, description: reference }: CorporateAction,
  { currencyAsset: asset }: DividendTerms,
  {
    step,
    legs,
    at: createdAt,
  }: { readonly step: string; readonly legs: readonly DistributionLeg[]; readonly at: number },
): Promise<readonly SkippedLeg[] | null> {
  const terms = { asset, legs, reference, createdAt };
  const outcome = await transact(env, { kind: 'distribution', id: tradeEventId(id, `dividend.${step}`), ...terms });
  if (outcome.type === 'outcome_unknown') return null;
  if (outcome.type !== 'done') throw new Error(`step ${step} of action ${id} came to ${outcome.type}`);
  return outcome.skipped;
}

/** Until something else has changed; it is looked at again at every run. */
async function wait(
  env: ActionsEnv,
  action: CorporateAction,
  waiting: NonNullable<CorporateAction['waiting']>,
): Promise<false> {
  await setWaiting(database(env.DB), action, waiting);
  return false;
}
