import type { Principal } from '../identity/principal.ts';
import { AMOUNT_MAX } from '../ledger/balances.ts';
import type { DailyLimits } from '../ledger/records.ts';
import { err, ok, type Result } from '../result.ts';
import type { OrderInstrument } from './instrument.ts';
import { centsInQuoteUnits, limitCurrencyFailure, type NoRate } from './limit-currency.ts';

/** Daily limits of the caller's API key, in quote units of a market against dollars; null where it has none. */
export function dailyLimitsOf(
  { keyId, dailyNotionalMax, dailyLossMax }: Pick<Principal, 'keyId' | 'dailyNotionalMax' | 'dailyLossMax'>,
  {
    market,
    quoteSymbol,
  }: {
    readonly market: { readonly quoteScale: number };
    readonly quoteSymbol: OrderInstrument['quoteSymbol'];
  },
): Result<DailyLimits | null, NoRate> {
  if (keyId === null || (dailyNotionalMax === null && dailyLossMax === null)) return ok(null);
  const failure = limitCurrencyFailure(quoteSymbol, 'daily');
  if (failure !== null) return err(failure);
  const scaled = (cents: number | null): number | null =>
    cents === null ? null : Math.min(AMOUNT_MAX, centsInQuoteUnits(cents, market));
  return ok({ notionalMax: scaled(dailyNotionalMax), lossMax: scaled(dailyLossMax) });
}
