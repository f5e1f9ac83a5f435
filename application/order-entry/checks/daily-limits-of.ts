import type { Instrument } from '../../../data/catalog/instruments.ts';
import type { Principal } from '../../../domain/identity/principal.ts';
import { AMOUNT_MAX } from '../../../domain/ledger/balances.ts';
import type { DailyLimits } from '../../../domain/ledger/records.ts';
import { centsInQuoteUnits, hasDailyLimit } from './limit-currency.ts';

/** Daily limits of the caller's API key, in quote units of a market against dollars; null where it has none. */
export function dailyLimitsOf(principal: Principal, { market }: Instrument): DailyLimits | null {
  if (market === null || !hasDailyLimit(principal)) return null;
  const scaled = (cents: number | null): number | null =>
    cents === null ? null : Math.min(AMOUNT_MAX, centsInQuoteUnits(cents, market));
  return { notionalMax: scaled(principal.dailyNotionalMax), lossMax: scaled(principal.dailyLossMax) };
}
