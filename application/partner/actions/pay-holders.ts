import { scalesOfAssets } from '../../../data/catalog/assets.ts';
import { database } from '../../../data/database.ts';
import {
  askForPart,
  type CorporateAction,
  nextRestAttempt,
  setWaiting,
} from '../../../data/partner/actions/corporate-actions.ts';
import {
  canTake,
  endPart,
  firstPart,
  nextPart,
  openEntitlements,
  storeAmounts,
  sumOpen,
} from '../../../data/partner/actions/entitlements.ts';
import type { CashTerms } from '../../../domain/corporate-actions/corporate-action.ts';
import { dividendAmount } from '../../../domain/corporate-actions/dividend-amount.ts';
import { DISTRIBUTION_LEGS_MAX } from '../../../domain/ledger/distributions.ts';
import type { SkippedLeg } from '../../../domain/ledger/outcomes.ts';
import type { DistributionLeg } from '../../../domain/ledger/transactions.ts';
import { currencyDecimals } from '../../../domain/money/currency-decimals.ts';
import { tradeEventId } from '../../../domain/partner/trade-event-id.ts';
import { transact } from '../../ledger/transact.ts';
import type { ActionsEnv } from './actions-env.ts';

const COMPUTED_PER_STEP = 4 * DISTRIBUTION_LEGS_MAX;

/** What so many shares get. What is more than an amount may be keeps the whole from being paid. */
export async function amountsOf(
  env: ActionsEnv,
  { id, security }: CorporateAction,
  { amountPerShare, currency, currencyAsset }: CashTerms,
): Promise<(shares: number) => number> {
  const scales = await scalesOfAssets(database(env.DB), [security, currencyAsset]);
  const [shareScale, cashScale] = [scales.get(security), scales.get(currencyAsset)];
  if (shareScale === undefined || cashScale === undefined) throw new Error(`the assets of action ${id} are gone`);
  const paidDecimals = currencyDecimals(currency, cashScale);
  return (shares) =>
    dividendAmount(shares, amountPerShare, { shareScale, cashScale, paidDecimals }) ?? Number.MAX_SAFE_INTEGER;
}

/**
 * What holders get, of so many whose amount is not known.
 *
 * @returns false once it is known of all
 */
export async function computeAmounts(env: ActionsEnv, action: CorporateAction, terms: CashTerms): Promise<boolean> {
  const db = database(env.DB);
  const { id } = action;
  const open = await openEntitlements(db, id, COMPUTED_PER_STEP);
  if (open.length === 0) return false;
  const amountOf = await amountsOf(env, action, terms);
  const first = await nextPart(db, id);
  let due = 0;
  const amounts = open.map(({ payee, account, shares }) => {
    const amount = amountOf(shares);
    if (account === null || amount === 0) return { payee, amount, part: null };
    const part = first + Math.floor(due / DISTRIBUTION_LEGS_MAX);
    due += 1;
    return { payee, amount, part };
  });
  await storeAmounts(db, action, amounts);
  return true;
}

/** All of it leaves the payer's account before anybody gets something: a payment that has begun does not run dry. `later`: the ledger was out of reach. */
export async function askPayer(
  env: ActionsEnv,
  action: CorporateAction,
  terms: CashTerms,
): Promise<'paid' | 'refused' | 'later'> {
  const { id, paymentAccount, attempt, dueAt } = action;
  if (paymentAccount === null) throw new Error(`nobody pays action ${id}`);
  const legs = [{ account: paymentAccount, change: -(await sumOpen(database(env.DB), id)) }];
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
  const { id, askedPart, fundedAt, dueAt } = action;
  const at = fundedAt ?? dueAt;
  const part = askedPart ?? (await firstPart(db, id, 'due'))?.part;
  if (part === undefined) return (await payRest(env, action, terms, at)) ? 'all' : 'later';
  if (!(await askForPart(db, action, part))) return 'more';
  return (await payPart(env, action, terms, part, at)) ? 'more' : 'later';
}

/** Pays a part that the ledger may be asked for. False where the ledger was out of reach. */
export async function payPart(
  env: ActionsEnv,
  action: CorporateAction,
  terms: CashTerms,
  part: number,
  at: number,
): Promise<boolean> {
  const db = database(env.DB);
  const asked = await firstPart(db, action.id, 'due', part);
  // Another run has ended it meanwhile.
  if (asked === null) return true;
  const legs = asked.rows.map(({ account, amount }) => ({ account, change: amount }));
  const skipped = await distribute(env, action, terms, { step: `pay.${part}`, legs, at });
  if (skipped === null) return false;
  await endPart(db, action.id, part, { from: 'due', to: 'paid', leftOut: 'unpaid', at }, skipped);
  return true;
}

/** What accounts did not take goes back to who has paid. False where that is not done yet. */
export async function payRest(
  env: ActionsEnv,
  action: CorporateAction,
  terms: CashTerms,
  at: number,
): Promise<boolean> {
  const rest = { step: 'pay.rest', sum: await sumOpen(database(env.DB), action.id), at } as const;
  return returnRest(env, action, terms, rest);
}

/** What is left at the end goes back to who has paid. False where that is not done yet; it is asked for again at every run. */
export async function returnRest(
  env: ActionsEnv,
  action: CorporateAction,
  terms: CashTerms,
  { step, sum, at }: { readonly step: 'pay.rest' | 'reverse.rest'; readonly sum: number; readonly at: number },
): Promise<boolean> {
  const { restAttempt } = action;
  const asked = { step: restAttempt === 1 ? step : `${step}.${restAttempt}`, sum, at };
  const returned = await returnToPayer(env, action, terms, asked);
  if (returned === 'skipped') {
    if (await payerTakes(env, action, terms, sum)) await nextRestAttempt(database(env.DB), action);
    await wait(env, action, 'payer_full');
  }
  return returned === 'done';
}

/**
 * Whether the account of the payer has room for so much, by what D1 shows. The ledger keeps for good that it has left a step out: it is asked under another id once
 * there is room, and not at every run.
 */
export function payerTakes(
  env: ActionsEnv,
  { paymentAccount }: CorporateAction,
  { currencyAsset }: CashTerms,
  sum: number,
): Promise<boolean> {
  return canTake(database(env.DB), paymentAccount ?? '', currencyAsset, sum);
}

/** Takes a part of what holders were paid, which the ledger may be asked for; who no longer has it is left out. False where the ledger was out of reach. */
export async function takeBackPart(
  env: ActionsEnv,
  action: CorporateAction,
  terms: CashTerms,
  part: number,
  at: number,
): Promise<boolean> {
  const db = database(env.DB);
  const asked = await firstPart(db, action.id, 'paid', part);
  if (asked === null) return true;
  const legs = asked.rows.map(({ account, amount }) => ({ account, change: -amount }));
  const skipped = await distribute(env, action, terms, { step: `reverse.${part}`, legs, at });
  if (skipped === null) return false;
  await endPart(db, action.id, part, { from: 'paid', to: 'returned', leftOut: 'not_returned', at }, skipped);
  return true;
}

/** What was not paid, or was given back. `later`: the ledger was out of reach; `skipped`: the account of the payer takes nothing. */
export async function returnToPayer(
  env: ActionsEnv,
  action: CorporateAction,
  terms: CashTerms,
  { step, sum, at }: { readonly step: string; readonly sum: number; readonly at: number },
): Promise<'done' | 'later' | 'skipped'> {
  if (sum === 0 || action.paymentAccount === null) return 'done';
  const legs = [{ account: action.paymentAccount, change: sum }];
  const skipped = await distribute(env, action, terms, { step, legs, at });
  if (skipped === null) return 'later';
  return skipped.length === 0 ? 'done' : 'skipped';
}

/** @returns the legs that were left out, the same on every repetition; null where the ledger was out of reach */
async function distribute(
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
