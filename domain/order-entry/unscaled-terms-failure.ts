import type { Market } from '../markets/market.ts';
import { fromScaled } from '../money/scaled.ts';
import type { TermsFailure } from './terms-failure.ts';

/** A broken rule of the market in the units of the doors: JSON numbers. */
export function unscaledTermsFailure(
  failure: TermsFailure,
  { priceScale, quantityScale }: Pick<Market, 'priceScale' | 'quantityScale'>,
): TermsFailure {
  switch (failure.reason) {
    case 'not_on_tick':
      return { ...failure, tickSize: fromScaled(failure.tickSize, priceScale) };
    case 'not_on_lot':
      return { ...failure, lotSize: fromScaled(failure.lotSize, quantityScale) };
    case 'below_minimum':
      return { ...failure, quantityMin: fromScaled(failure.quantityMin, quantityScale) };
    case 'above_maximum':
      return { ...failure, quantityMax: fromScaled(failure.quantityMax, quantityScale) };
    default:
      return failure;
  }
}
