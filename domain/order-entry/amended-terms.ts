import type { Market } from '../markets/market.ts';
import type { MarketPrices } from '../markets/price-band.ts';
import type { Side } from '../orders/order.ts';
import { err, ok, type Result } from '../result.ts';
import { collarAround } from './collar.ts';
import { isNotionalExact, PRICE_MAX } from './exact-notional.ts';
import { bandFailure, type PriceFailure } from './limit-price.ts';
import { hasTooManySlices, isBelowLeastNotional } from './terms-failure.ts';

export type AmendedTermsFailure =
  | PriceFailure
  | {
      readonly reason: 'invalid_amendment';
      readonly detail:
        | 'no_price'
        | 'no_stop_price'
        | 'quantity_not_above_filled'
        | 'below_minimum'
        | 'above_maximum'
        | 'below_least_notional'
        | 'not_on_lot'
        | 'too_many_slices'
        | 'not_positive'
        | 'not_on_tick';
    };

/** An order as far as it decides what it may be amended to. Scaled integers. */
export interface AmendableTerms {
  readonly side: Side;
  readonly quantity: number;
  readonly filled: number;
  /** As the client gave it; null where the type has none. */
  readonly price: number | null;
  /** The price that it never trades beyond. */
  readonly limit: number;
  /** Fees that it was admitted under: the market's may be lower by now. */
  readonly makerFeeBps: number;
  readonly takerFeeBps: number;
  /** Null for an order that shows its whole quantity. */
  readonly displayQuantity: number | null;
  /** Trigger of a stop that awaits it; null for any other order. */
  readonly stopPrice: number | null;
}

/** Total quantity, limit and, of a stop that awaits its trigger, stop price of an order after an amendment. */
export interface AmendedTerms {
  readonly quantity: number;
  readonly price: number;
  readonly stopPrice: number | null;
}

/** What an amendment changes; null leaves as is. */
export interface TermsChange {
  readonly quantity: number | null;
  readonly price: number | null;
  readonly stopPrice: number | null;
}

/**
 * The terms of an order after a change, or the first rule of the market that they break. A stop without a limit gets the collar around its
 * new trigger.
 */
export function amendedTerms(
  change: TermsChange,
  order: AmendableTerms,
  market: Market,
  prices: MarketPrices,
): Result<AmendedTerms, AmendedTermsFailure> {
  const quantity = change.quantity ?? order.quantity;
  if (change.price !== null && order.price === null) return invalid('no_price');
  if (change.stopPrice !== null && order.stopPrice === null) return invalid('no_stop_price');
  const stopPrice = change.stopPrice ?? order.stopPrice;
  const hasCollar = stopPrice !== null && order.price === null;
  if (quantity <= order.filled) return invalid('quantity_not_above_filled');
  if (quantity < market.quantityMin) return invalid('below_minimum');
  if (quantity > market.quantityMax) return invalid('above_maximum');
  if (quantity % market.lotSize !== 0) return invalid('not_on_lot');
  if (hasTooManySlices(quantity, order.displayQuantity)) return invalid('too_many_slices');
  if (stopPrice !== null && stopPrice > PRICE_MAX) return err({ reason: 'notional_too_large' });
  const price = change.price ?? (hasCollar ? collarAround(stopPrice, order.side, market) : order.limit);
  if (price <= 0) return invalid('not_positive');
  if (price % market.tickSize !== 0 || (stopPrice ?? 0) % market.tickSize !== 0) return invalid('not_on_tick');
  if (price > PRICE_MAX) return err({ reason: 'notional_too_large' });
  // A stop without a limit costs what it is triggered at, more or less, as when it was placed.
  if (isBelowLeastNotional(market, hasCollar ? stopPrice : price, quantity)) return invalid('below_least_notional');
  const outside = change.price === null ? null : bandFailure(price, market, prices);
  if (outside !== null) return err(outside);
  const { makerFeeBps, takerFeeBps } = order;
  if (!isNotionalExact({ ...market, makerFeeBps, takerFeeBps }, price, quantity))
    return err({ reason: 'notional_too_large' });
  return ok({ quantity, price, stopPrice });
}

type Detail = Extract<AmendedTermsFailure, { reason: 'invalid_amendment' }>['detail'];

function invalid(detail: Detail): Result<never, AmendedTermsFailure> {
  return err({ reason: 'invalid_amendment', detail });
}
