import { AMOUNT_PER_SHARE_SCALE } from './corporate-action.ts';

interface CashScales {
  readonly shareScale: number;
  /** Decimals that the venue counts of the currency. */
  readonly cashScale: number;
  /** Those in which it is paid (domain/money/currency-decimals.ts), no more than are counted; all of them unless stated. */
  readonly paidDecimals?: number;
}

/**
 * What a holder gets, in the smallest units that the venue counts of the currency, rounded down to the decimals in which it is paid: what is left stays with
 * the payer. Null where it is more than an amount may be.
 *
 * @param shares scaled by `shareScale`
 * @param amountPerShare scaled by AMOUNT_PER_SHARE_SCALE
 */
export function dividendAmount(
  shares: number,
  amountPerShare: number,
  { shareScale, cashScale, paidDecimals = cashScale }: CashScales,
): number | null {
  const numerator = BigInt(shares) * BigInt(amountPerShare) * 10n ** BigInt(paidDecimals);
  const paid = numerator / 10n ** BigInt(shareScale + AMOUNT_PER_SHARE_SCALE);
  const amount = paid * 10n ** BigInt(cashScale - paidDecimals);
  return amount > BigInt(Number.MAX_SAFE_INTEGER) ? null : Number(amount);
}
