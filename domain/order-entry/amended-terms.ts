import type { Market } from '../markets/market.ts';
import { err, ok, type Result } from '../result.ts';
import { isNotionalExact, PRICE_MAX } from './exact-notional.ts';
import { bandFailure, type PriceFailure } from './limit-price.ts';
import { hasTooManySlices } from './terms-failure.ts';

export type AmendedTermsFailure =
  | PriceFailure
  | {
      readonly reason: 'invalid_amendment';
      readonly detail:
        | 'no_price'
        | 'quantity_not_above_filled'
        | 'below_minimum'
        | 'above_maximum'
        | 'not_on_lot'
        | 'too_many_slices'
        | 'not_positive'
        | 'not_on_tick';
    };

/** An order as far as it decides what it may be amended to. Scaled integers. */
export interface AmendableTerms {
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
}

/** Total quantity and limit of an order after an amendment. */
export interface AmendedTerms {
  readonly quantity: number;
  readonly price: number;
}

/**
 * The terms of an order after a change, or the first rule of the market that they break.
 *
 * @param change null leaves as is
 * @param last last trade price of the book, null before the first
 */
export function amendedTerms(
  change: { readonly quantity: number | null; readonly price: number | null },
  order: AmendableTerms,
  market: Market,
  last: number | null,
): Result<AmendedTerms, AmendedTermsFailure> {
  const quantity = change.quantity ?? order.quantity;
  const price = change.price ?? order.limit;
  if (change.price !== null && order.price === null) return invalid('no_price');
  if (quantity <= order.filled) return invalid('quantity_not_above_filled');
  if (quantity < market.quantityMin) return invalid('below_minimum');
  if (quantity > market.quantityMax) return invalid('above_maximum');
  if (quantity % market.lotSize !== 0) return invalid('not_on_lot');
  if (hasTooManySlices(quantity, order.displayQuantity)) return invalid('too_many_slices');
  if (price <= 0) return invalid('not_positive');
  if (price % market.tickSize !== 0) return invalid('not_on_tick');
  if (price > PRICE_MAX) return err({ reason: 'notional_too_large' });
  const outside = change.price === null ? null : bandFailure(price, market, last);
  if (outside !== null) return err(outside);
  const { makerFeeBps, takerFeeBps } = order;
  if (!isNotionalExact({ ...market, makerFeeBps, takerFeeBps }, price, quantity))
    return err({ reason: 'notional_too_large' });
  return ok({ quantity, price });
}

type Detail = Extract<AmendedTermsFailure, { reason: 'invalid_amendment' }>['detail'];

function invalid(detail: Detail): Result<never, AmendedTermsFailure> {
  return err({ reason: 'invalid_amendment', detail });
}
