import type { Principal } from '../identity/principal.ts';
import { AMOUNT_MAX } from '../ledger/balances.ts';
import type { DailyLimits } from '../ledger/records.ts';
import { err, ok, type Result } from '../result.ts';
import type { OrderInstrument } from './instrument.ts';
import { centsInDollarUnits, type NoRate, noRate } from './limit-currency.ts';

/** Daily limits of the caller's API key, in units of the venue's dollar; null where it has none. */
export function dailyLimitsOf(
  { keyId, dailyNotionalMax, dailyLossMax }: Pick<Principal, 'keyId' | 'dailyNotionalMax' | 'dailyLossMax'>,
  { dollars, quoteSymbol }: Pick<OrderInstrument, 'dollars' | 'quoteSymbol'>,
): Result<DailyLimits | null, NoRate> {
  if (keyId === null || (dailyNotionalMax === null && dailyLossMax === null)) return ok(null);
  if (dollars === null) return err(noRate(quoteSymbol, 'daily'));
  const scaled = (cents: number | null): number | null =>
    cents === null ? null : Math.min(AMOUNT_MAX, centsInDollarUnits(cents, dollars.scale));
  return ok({ notionalMax: scaled(dailyNotionalMax), lossMax: scaled(dailyLossMax) });
}
