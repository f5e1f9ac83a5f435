import { scalesOfAssets } from '../../../data/catalog/assets.ts';
import { database } from '../../../data/database.ts';
import { beginMoving, type CorporateAction, moveAction } from '../../../data/partner/actions/corporate-actions.ts';
import { canPay, totalsOf } from '../../../data/partner/actions/entitlements.ts';
import { beginAgain, recordMergerHolders, sharesInAccounts } from '../../../data/partner/actions/merger-actions.ts';
import { findSecurity } from '../../../data/partner/securities.ts';
import type { ActionWait } from '../../../domain/corporate-actions/action-state.ts';
import {
  type CashMergerTerms,
  isPaid,
  type StockMergerTerms,
  stockOf,
} from '../../../domain/corporate-actions/corporate-action.ts';
import { dividendAmount } from '../../../domain/corporate-actions/dividend-amount.ts';
import { AMOUNT_MAX } from '../../../domain/ledger/balances.ts';
import { currencyDecimals } from '../../../domain/money/currency-decimals.ts';
import { log } from '../../../durable-objects/log/log.ts';
import { endShares, holdShares, mergerEventId, releaseAttempts } from '../register/end-shares.ts';
import { moveSecurity } from '../securities/change-security.ts';
import { askPayer, computeAmounts, payHolders, wait } from './pay-holders.ts';
import { actionOf, gainsTooMuch, halt, lacksConsent, waitOf } from './split-security.ts';
import { survivorFault } from './surviving-security.ts';

/**
 * The next step of a merger that is due: its security is halted; every share is held where it is while holders are recorded and the payer is asked
 * for all of their cash, if any; then the shares end in register and ledger, those of the surviving security take their place, holders are paid, and the security is delisted. Until
 * the payer has paid, whatever stands in the way lets the shares go again.
 *
 * @returns whether it went on, so that the next step may
 */
export async function mergeSecurity(
  env: Env,
  action: CorporateAction,
  terms: CashMergerTerms | StockMergerTerms,
  now: number,
): Promise<boolean> {
  switch (action.state) {
    case 'announced':
      return begin(env, action, terms, now);
    case 'effective':
      return recordHolders(env, action, terms, now);
    case 'recorded':
      return prepare(env, action, terms);
    case 'funding':
      return fund(env, action, terms, now);
    case 'funded':
      return carryOut(env, action, terms, now);
    case 'returning':
    case 'completed':
    case 'cancelled':
    case 'reversing':
    case 'reversed':
      return false;
  }
}

type Terms = CashMergerTerms | StockMergerTerms;

/** Nothing begins while its payer certainly has too little, or the surviving security is none whose agent gives its shares here. */
async function begin(env: Env, action: CorporateAction, terms: Terms, now: number): Promise<boolean> {
  if (now < action.dueAt) return false;
  if (lacksConsent(action)) return wait(env, action, 'lister_consent');
  const stock = stockOf(terms);
  if (stock !== null && (await gainsTooMuch(env, action, stock))) return wait(env, action, 'fractions');
  if (!(await halt(env, action))) return false;
  if (stock !== null && (await survivorFault(env, action, stock)) !== null)
    return wait(env, action, 'surviving_security');
  const lack = isPaid(terms) ? await lackOf(env, action, terms) : null;
  return lack === null ? moveAction(database(env.DB), action, { state: 'effective' }) : wait(env, action, lack);
}

async function lackOf(env: Env, action: CorporateAction, terms: CashMergerTerms): Promise<ActionWait | null> {
  const least = await leastTotal(env, action, terms);
  const { paymentAccount, amountMax } = action;
  if (least === null) return null;
  if (paymentAccount === null) return 'payment_account';
  if (least > Math.min(amountMax ?? AMOUNT_MAX, AMOUNT_MAX)) return 'above_amount_max';
  return (await canPay(database(env.DB), paymentAccount, terms.currencyAsset, least)) ? null : 'insufficient_funds';
}

/** What accounts get at the least, by what D1 shows: each is rounded down by less than one unit of what is paid. Null where no account has shares. */
async function leastTotal(
  { DB }: Pick<Env, 'DB'>,
  { security }: CorporateAction,
  { amountPerShare, currency, currencyAsset }: CashMergerTerms,
): Promise<number | null> {
  const db = database(DB);
  const { shares, accounts } = await sharesInAccounts(db, security);
  if (accounts === 0) return null;
  const scales = await scalesOfAssets(db, [security, currencyAsset]);
  const [shareScale, cashScale] = [scales.get(security) ?? 0, scales.get(currencyAsset) ?? 0];
  const exact = dividendAmount(shares, amountPerShare, { shareScale, cashScale });
  const unit = 10 ** (cashScale - currencyDecimals(currency, cashScale));
  return exact === null ? Number.MAX_SAFE_INTEGER : Math.max(0, exact - accounts * unit);
}

/** Everybody whom the register has, while nothing moves. */
async function recordHolders(env: Env, action: CorporateAction, terms: Terms, now: number): Promise<boolean> {
  const stock = stockOf(terms);
  const held = await holdShares(env, action, stock, now);
  // From here on no holder has more or fewer.
  if (held.ok && stock !== null && (await gainsTooMuch(env, action, stock))) return letGo(env, action, 'fractions');
  if (held.ok && (await recordMergerHolders(database(env.DB), action, mergerEventId(action), now))) return true;
  const waiting = held.ok ? 'not_current' : waitOf(held.error, 'merger_refused');
  return waiting === null ? false : letGo(env, action, waiting);
}

async function prepare(env: Env, action: CorporateAction, terms: Terms): Promise<boolean> {
  const db = database(env.DB);
  if (isPaid(terms) && (await computeAmounts(env, action, terms))) return true;
  const { accounts: total, external: externalTotal } = await totalsOf(db, action.id);
  if (total > Math.min(action.amountMax ?? AMOUNT_MAX, AMOUNT_MAX) || externalTotal > AMOUNT_MAX)
    return letGo(env, action, 'above_amount_max');
  if (total > 0 && action.paymentAccount === null) return letGo(env, action, 'payment_account');
  return moveAction(db, action, { state: 'funding', total, externalTotal });
}

async function fund(env: Env, action: CorporateAction, terms: Terms, now: number): Promise<boolean> {
  const asked = isPaid(terms) && action.total !== 0 ? await askPayer(env, action, terms) : 'paid';
  if (asked === 'paid') return moveAction(database(env.DB), action, { state: 'funded', fundedAt: now });
  return asked === 'refused' && letGo(env, action, 'insufficient_funds');
}

/** From here on it goes to its end, whatever becomes of its agent. Shares end before anybody is paid for them. */
async function carryOut(env: Env, action: CorporateAction, terms: Terms, now: number): Promise<boolean> {
  if (action.movingAt === null) return beginMoving(database(env.DB), action, now);
  const ended = await endShares(env, action, stockOf(terms));
  if (!ended.ok) {
    const waiting = waitOf(ended.error, 'merger_refused');
    return waiting !== null && wait(env, action, waiting);
  }
  const paid = isPaid(terms) ? await payHolders(env, action, terms) : 'all';
  if (paid !== 'all') return paid === 'more';
  if (!(await delist(env, action))) return false;
  return moveAction(database(env.DB), action, { state: 'completed', endedAt: now });
}

async function delist(env: Env, action: CorporateAction): Promise<boolean> {
  const { security: id, description } = action;
  if ((await findSecurity(database(env.DB), id))?.state === 'delisted') return true;
  const move = { id, of: null, verb: 'delist', by: 'action', reason: `merger: ${description}` } as const;
  const delisted = await moveSecurity(env, move, actionOf(action, 'delist'));
  if (!delisted.ok)
    log('warn', 'a security is not delisted for its merger yet', { security: id, code: delisted.error.code });
  return delisted.ok;
}

/** The merger is as it was announced, and waits; shares may move again. A crash between the two leaves the event to the job of the registers. */
async function letGo(env: Env, action: CorporateAction, waiting: ActionWait): Promise<false> {
  const db = database(env.DB);
  await beginAgain(db, action, waiting);
  await releaseAttempts(env, action);
  return false;
}
