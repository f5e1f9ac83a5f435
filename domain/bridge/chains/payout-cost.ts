/** What one payout takes beyond its amount, in the smallest unit of the chain's own coin. */
export interface PayoutCost {
  /** Network fee, and whatever goes to the payee along with the amount. */
  readonly cost: string;
  /** Less than that of the coin cannot be paid there. */
  readonly least: string;
  /** Of the coin. */
  readonly decimals: number;
}
