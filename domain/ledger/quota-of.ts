import type { LedgerLimits } from './ledger-limits.ts';

/**
 * How many of something one account (or security) may have: as many as are still free beyond what is kept for those with few, and never fewer than the
 * guaranteed number. So one takes half of what is not kept at most, k of them leave one part in k + 1, and whoever has few goes on.
 *
 * @param max of one of them
 * @param free beyond what is kept; below 0 where others have begun with that
 */
export function quotaOf(max: number, guaranteed: number, free: number): number {
  return Math.min(max, Math.max(guaranteed, free));
}

/** How many balances an account may have while the shard has `count`. */
export function balancesQuotaOf(
  { balancesMax, balancesPerAccountMax, balancesForGuaranteed, balancesGuaranteedPerAccount }: LedgerLimits,
  count: number,
): number {
  return quotaOf(balancesPerAccountMax, balancesGuaranteedPerAccount, balancesMax - count - balancesForGuaranteed);
}
