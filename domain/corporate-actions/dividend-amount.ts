import { AMOUNT_PER_SHARE_SCALE } from './corporate-action.ts';

/**
 * What a holder gets, in the smallest units of the currency, rounded down: what is left of a unit stays with the payer. Null where it is more than an
 * amount may be.
 *
 * @param shares scaled by `shareScale`
 * @param amountPerShare scaled by AMOUNT_PER_SHARE_SCALE
 */
export function dividendAmount(
  shares: number,
  amountPerShare: number,
  { shareScale, cashScale }: { readonly shareScale: number; readonly cashScale: number },
): number | null {
  const numerator = BigInt(shares) * BigInt(amountPerShare) * 10n ** BigInt(cashScale);
  const amount = numerator / 10n ** BigInt(shareScale + AMOUNT_PER_SHARE_SCALE);
  return amount > BigInt(Number.MAX_SAFE_INTEGER) ? null : Number(amount);
}
