import { type DollarRate, inDollarsDown } from '../money/dollar-rate.ts';

/** A sale as it stands. */
interface Sale {
  /** Units of the quote asset. */
  readonly notional: number;
  readonly fee: number;
  /** Dollars that the shares had cost. */
  readonly cost: number;
  /** At which it settled; null for dollars. */
  readonly rate: DollarRate | null;
}

/** What a sale has realised, in units of the dollar: proceeds after its fee, rounded down, less what the shares had cost. */
export function realizedProfit({ notional, fee, cost, rate }: Sale): number {
  return inDollarsDown(notional - fee, rate) - cost;
}
