import { scalesOfAssets } from '../../../data/catalog/assets.ts';
import { database } from '../../../data/database.ts';
import { type CorporateAction, setWaiting } from '../../../data/partner/actions/corporate-actions.ts';
import {
  endPart,
  firstPart,
  nextPart,
  openEntitlements,
  storeAmounts,
  sumIn,
} from '../../../data/partner/actions/entitlements.ts';
import type { CashTerms } from '../../../domain/corporate-actions/corporate-action.ts';
import { dividendAmount } from '../../../domain/corporate-actions/dividend-amount.ts';
import { DISTRIBUTION_LEGS_MAX } from '../../../domain/ledger/distributions.ts';
import type { SkippedLeg } from '../../../domain/ledger/outcomes.ts';
import type { DistributionLeg } from '../../../domain/ledger/transactions.ts';
import { tradeEventId } from '../../../domain/partner/trade-event-id.ts';
import { transact } from '../../ledger/transact.ts';
import type { ActionsEnv } from './actions-env.ts';

const COMPUTED_PER_STEP = 4 * DISTRIBUTION_LEGS_MAX;

/**
 * What holders get, of so many whose amount is not known.
 *
 * @returns false once it is known of all
 */
export async function computeAmounts(
  env: ActionsEnv,
  { id, security }: CorporateAction,
  { amountPerShare, currencyAsset }: CashTerms,
): Promise<boolean> {
  const db = database(env.DB);
  const open = await openEntitlements(db, id, COMPUTED_PER_STEP);
  if (open.length === 0) return false;
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
  return true;
}

/** All of it leaves the payer's account before anybody gets something: a payment that has begun does not run dry. `later`: the ledger was out of reach. */
export async function askPayer(
  env: ActionsEnv,
  action: CorporateAction,
  terms: CashTerms,
): Promise<'paid' | 'refused' | 'later'> {
  const { paymentAccount, total, attempt, dueAt } = action;
  if (paymentAccount === null || total === null) throw new Error(`nobody pays action ${action.id}`);
  const legs = [{ account: paymentAccount, change: -total }];
  const skipped = await distribute(env, action, terms, { step: `fund.${attempt}`, legs, at: dueAt });
  if (skipped === null) return 'later';
  return skipped.length === 0 ? 'paid' : 'refused';
}

/** Pays a part of the holders (`more`); after the last one, what could not be paid goes back to who has paid (`all`). `later`: the ledger was out of reach. */
export async function payHolders(
  env: ActionsEnv,
  action: CorporateAction,
  terms: CashTerms,
): Promise<'more' | 'all' | 'later'> {
  const db = database(env.DB);
  const { id, fundedAt, dueAt } = action;
  const at = fundedAt ?? dueAt;
  const next = await firstPart(db, id, 'due');
  if (next !== null) {
    const legs = next.rows.map(({ account, amount }) => ({ account, change: amount }));
    const skipped = await distribute(env, action, terms, { step: `pay.${next.part}`, legs, at });
    if (skipped === null) return 'later';
    await endPart(db, id, next.part, { from: 'due', to: 'paid', leftOut: 'unpaid', at }, skipped);
    return 'more';
  }
  const rest = { step: 'pay.rest', sum: await sumIn(db, id, 'unpaid'), at };
  return (await returnToPayer(env, action, terms, rest)) ? 'all' : 'later';
}

/** What was not paid, or was given back. False where the ledger was out of reach. */
export async function returnToPayer(
  env: ActionsEnv,
  action: CorporateAction,
  terms: CashTerms,
  { step, sum, at }: { readonly step: string; readonly sum: number; readonly at: number },
): Promise<boolean> {
  if (sum === 0 || action.paymentAccount === null) return true;
  const legs = [{ account: action.paymentAccount, change: sum }];
  const skipped = await distribute(env, action, terms, { step, legs, at });
  return skipped !== null && skipped.length === 0;
}

/** @returns the legs that were left out, the same on every repetition; null where the ledger was out of reach */
export async function distribute(
  env: ActionsEnv,
  { id, description: reference }: CorporateAction,
  { currencyAsset: asset }: CashTerms,
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
export async function wait(
  env: ActionsEnv,
  action: CorporateAction,
  waiting: NonNullable<CorporateAction['waiting']>,
): Promise<false> {
  await setWaiting(database(env.DB), action, waiting);
  return false;
}
