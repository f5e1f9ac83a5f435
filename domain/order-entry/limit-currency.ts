import { CASH_SYMBOL } from '../portfolio/cash.ts';

/** Limits in money are stated in US cents; the ledger counts them in units of the venue's dollar. */
const CENTS_SCALE = 2;

/** A limit in money, and no stated rate for what an order would pay, or has been paid, in. Symbols. */
export interface NoRate {
  readonly reason: 'no_rate';
  readonly limit: 'investment' | 'daily';
  readonly currency: string;
  readonly quote: string;
}

/** A limit stated in US cents, in quote units of a market against dollars, rounded down. */
export function centsInQuoteUnits(cents: number, { quoteScale }: { readonly quoteScale: number }): number {
  return Math.floor(cents * 10 ** (quoteScale - CENTS_SCALE));
}

/** Why a limit in money cannot be applied to what is paid in `quoteSymbol`, or null: limits are dollars, and no rate is stated for others. */
export function limitCurrencyFailure(quoteSymbol: string | null, limit: NoRate['limit']): NoRate | null {
  if (quoteSymbol === null || quoteSymbol === CASH_SYMBOL) return null;
  return { reason: 'no_rate', limit, currency: CASH_SYMBOL, quote: quoteSymbol };
}
