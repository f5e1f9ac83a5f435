import type { Instrument } from '../../../data/catalog/instruments.ts';
import type { Principal } from '../../../domain/identity/principal.ts';
import { CASH_SYMBOL } from '../../../domain/portfolio/cash.ts';
import type { OrderEntryFailure } from '../order-entry-failure.ts';

/** Limits in money are stated in US cents; the ledger counts them in units of the venue's dollar. */
const CENTS_SCALE = 2;

/** A limit stated in US cents, in quote units of a market against dollars, rounded down. */
export function centsInQuoteUnits(cents: number, { quoteScale }: { readonly quoteScale: number }): number {
  return Math.floor(cents * 10 ** (quoteScale - CENTS_SCALE));
}

/**
 * Why a limit in money cannot be applied to an order of this instrument, or null: limits are dollars, and no rate is stated for another
 * quote currency.
 */
export function limitCurrencyFailure(
  { quoteSymbol }: Instrument,
  limit: 'investment' | 'daily',
): OrderEntryFailure | null {
  if (quoteSymbol === null || quoteSymbol === CASH_SYMBOL) return null;
  return { reason: 'no_rate', limit, currency: CASH_SYMBOL, quote: quoteSymbol };
}

/** Whether an API key has a limit that is counted by the day, in money. */
export function hasDailyLimit({ keyId, dailyNotionalMax, dailyLossMax }: Principal): boolean {
  return keyId !== null && (dailyNotionalMax !== null || dailyLossMax !== null);
}
