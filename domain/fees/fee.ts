import { checked } from '../money/arithmetic.ts';

const BPS = 10_000;

/**
 * Fees accumulate over an order as a numerator in 1/10,000 quote units and are charged as F(after) − F(before), F rounding up
 * (DESIGN 8). So many small fills never cost more than one large one, and a reserve made with the same F always suffices.
 */
export function addToFeeNumerator(numerator: number, notional: number, feeBps: number): number {
  return checked(numerator + checked(notional * feeBps));
}

/** F: the quote units charged in total for an accumulated numerator. */
export function feeCharged(numerator: number): number {
  return Math.ceil(numerator / BPS);
}
