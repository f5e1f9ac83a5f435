import type { Market } from '../markets/market.ts';
import { type MarketPrices, type PriceBand, priceBand } from '../markets/price-band.ts';
import type { OrderTerms } from '../orders/order.ts';
import { err, ok, type Result } from '../result.ts';
import { collaredPrice } from './collar.ts';
import { isNotionalExact, PRICE_MAX } from './exact-notional.ts';

export type PriceFailure =
  | { readonly reason: 'no_reference_price' }
  /** The notional leaves the range that amounts are exact in. */
  | { readonly reason: 'notional_too_large' }
  | ({ readonly reason: 'outside_price_band' } & PriceBand);

/**
 * The price that an order never trades beyond: the client's limit, or the collar of an order without one, as far as the price band lets.
 */
export function limitPriceOf(terms: OrderTerms, market: Market, prices: MarketPrices): Result<number, PriceFailure> {
  if (Math.max(terms.price ?? 0, terms.stopPrice ?? 0) > PRICE_MAX) return err({ reason: 'notional_too_large' });
  const limit = collaredPrice(terms, market, prices);
  if (limit === null) return err({ reason: 'no_reference_price' });
  if (terms.price !== null) {
    const failure = bandFailure(terms.price, market, prices);
    if (failure !== null) return err(failure);
  }
  return isNotionalExact(market, limit, terms.quantity) ? ok(limit) : err({ reason: 'notional_too_large' });
}

/** Why a limit that a client states is too far from the market, or null. */
export function bandFailure(price: number, market: Market, prices: MarketPrices): PriceFailure | null {
  const band = priceBand(market, prices);
  if (band === null || (price >= band.low && price <= band.high)) return null;
  return { reason: 'outside_price_band', ...band };
}
