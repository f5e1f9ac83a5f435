import type { VersionedRate } from '../money/dollar-rate.ts';
import { CASH_SYMBOL } from '../portfolio/cash.ts';

/** Limits in money are stated in US cents; the ledger counts them in units of the venue's dollar. */
const CENTS_SCALE = 2;

/** How amounts of a quote asset are counted in dollars. */
export interface DollarTerms {
  /** Of the venue's dollar. */
  readonly scale: number;
  /** Null for what is quoted in dollars. */
  readonly rate: VersionedRate | null;
}

/** A limit in money, and no stated rate for what an order would pay, or has been paid, in. Symbols. */
export interface NoRate {
  readonly reason: 'no_rate';
  readonly limit: 'investment' | 'daily';
  readonly currency: string;
  readonly quote: string;
}

/** A limit stated in US cents, in units of the venue's dollar, rounded down. */
export function centsInDollarUnits(cents: number, dollarScale: number): number {
  return Math.floor(cents * 10 ** (dollarScale - CENTS_SCALE));
}

/** Why a limit in money cannot be applied to what is paid in another currency. */
export function noRate(quote: string | null, limit: NoRate['limit']): NoRate {
  return { reason: 'no_rate', limit, currency: CASH_SYMBOL, quote: quote ?? '' };
}
