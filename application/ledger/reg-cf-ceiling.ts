import { findAssetBySymbol } from '../../data/catalog/assets.ts';
import { database } from '../../data/database.ts';
import { readRegCfPurchases } from '../../data/limits/reg-cf-purchases.ts';
import type { ComplianceFacts } from '../../domain/accounts/account.ts';
import { attributesOf } from '../../domain/accreditation/attributes-of.ts';
import { addMonths } from '../../domain/calendar/add-months.ts';
import {
  REG_CF_ALLOWANCE,
  REG_CF_WINDOW_MONTHS,
  type RegCfAmounts,
  regCfLimit,
} from '../../domain/investment-limit/reg-cf-limit.ts';
import type { AllowanceCeiling } from '../../domain/ledger/transactions.ts';
import { centsInDollarUnits } from '../../domain/order-entry/limit-currency.ts';
import { ATTRIBUTE } from '../../domain/orders/eligibility.ts';
import { CASH_SYMBOL } from '../../domain/portfolio/cash.ts';
import { readBalances } from './balances.ts';
import type { LedgerEnv } from './ledger-env.ts';

/** A change of facts as the Reg CF limit sees it. */
export interface LimitedChange {
  readonly account: string;
  readonly before: ComplianceFacts;
  readonly after: ComplianceFacts;
  readonly amounts: RegCfAmounts;
  /** Whether D1 shows every purchase. */
  readonly isCurrent: boolean;
  /** Unix milliseconds. */
  readonly now: number;
}

/**
 * What open orders may still hold of the Reg CF limit once it has fallen (17 CFR 227.100(a)(2)); null where it has not. Purchases that
 * cannot be known take all of it. `unreachable`: the ledger is.
 */
export async function regCfCeiling(
  env: LedgerEnv,
  { account, before, after, amounts, isCurrent, now }: LimitedChange,
): Promise<AllowanceCeiling | null | 'unreachable'> {
  const limit = regCfLimit(after, amounts);
  const isAccredited = (attributesOf(after) & ATTRIBUTE.self_certified_accredited) !== 0;
  if (isAccredited || limit >= regCfLimit(before, amounts)) return null;
  // The balance before the purchases: D1 shows the fills that it has gone down by.
  const balanceOf = await readBalances(env, account);
  if (balanceOf === null) return 'unreachable';
  const { available, held } = balanceOf(REG_CF_ALLOWANCE);
  const heldMax = isCurrent ? await roomIn(env, account, limit, now) : 0;
  return { asset: REG_CF_ALLOWANCE, heldMax, available, held };
}

/** What is left of a limit in US cents after the purchases of its window, in units of the venue's dollar. */
async function roomIn(env: LedgerEnv, account: string, limit: number, now: number): Promise<number> {
  const db = database(env.DB);
  const cash = await findAssetBySymbol(db, CASH_SYMBOL);
  if (cash === null) return 0;
  const since = addMonths(now, -REG_CF_WINDOW_MONTHS);
  const { paid, unrated } = await readRegCfPurchases(db, { account, since });
  if (unrated !== null) return 0;
  return Math.max(0, centsInDollarUnits(limit, cash.scale) - paid);
}
