import { mulDivCeil, mulDivFloor } from '../money/arithmetic.ts';
import { err, ok, type Result } from '../result.ts';
import type { Units } from './transfer-terms.ts';

/** Hundredths of a percent that a whole is. */
const BPS = 10_000;

/** Decimals of the ledger's asset, and of it on each side; an account has those of the ledger. */
export interface QuoteScales {
  readonly ledger: number;
  readonly source: number;
  readonly destination: number;
}

export interface Quote {
  readonly amount: number;
  readonly fee: number;
  readonly amountIn: Units;
  readonly amountOut: Units;
}

/** What a lane takes; amounts are scaled integers of the ledger. */
export interface QuoteTerms {
  readonly feeBps: number;
  /** Beside the share. */
  readonly flatFee: number;
  readonly leastAmount: number;
}

/** `too_fine`: one of the sides has too few decimals for it. `below_least`: the lane takes no so small one. `nothing_left`: the fee takes it all. */
export type QuoteFailure = 'too_fine' | 'below_least' | 'nothing_left';

/** What a transfer of so much costs and pays. The fee is rounded up, to a whole number of units of each side. */
export function quoteOf(
  amount: number,
  { feeBps, flatFee, leastAmount }: QuoteTerms,
  scales: QuoteScales,
): Result<Quote, QuoteFailure> {
  const coarsest = Math.min(scales.ledger, scales.source, scales.destination);
  const step = 10 ** (scales.ledger - coarsest);
  if (amount % step !== 0) return err('too_fine');
  if (amount < leastAmount) return err('below_least');
  const fee = Math.ceil((mulDivCeil(amount, feeBps, BPS) + flatFee) / step) * step;
  if (amount <= fee) return err('nothing_left');
  const amountIn = inUnits(amount, scales.ledger, scales.source);
  const amountOut = inUnits(amount - fee, scales.ledger, scales.destination);
  return ok({ amount, fee, amountIn, amountOut });
}

/**
 * What of a quote's fee the organization has earned: its share, rounded down, as a scaled integer of the ledger. The flat part and what rounding adds stay in the vault, for what chains charge.
 */
export function feeShareOf({ amount, fee }: Pick<Quote, 'amount' | 'fee'>, feeBps: number): number {
  return Math.min(mulDivFloor(amount, feeBps, BPS), fee);
}

function inUnits(amount: number, from: number, to: number): Units {
  const units = BigInt(amount);
  return String(to >= from ? units * 10n ** BigInt(to - from) : units / 10n ** BigInt(from - to));
}
