import { type Market, notional } from '../markets/market.ts';
import type { Side } from '../orders/order.ts';

/** What an order would fill at once. Scaled integers. */
export interface FillEstimate {
  readonly filled: number;
  /** Quote units. */
  readonly notional: number;
}

/**
 * Walks the opposite side of a book, best level first, as far as an order's limit and quantity reach.
 *
 * @param levels aggregated, `[price, quantity]`
 */
export function estimateFill(
  market: Pick<Market, 'priceScale' | 'quantityScale' | 'quoteScale'>,
  order: { readonly side: Side; readonly limit: number; readonly quantity: number },
  levels: readonly (readonly [price: number, quantity: number])[],
): FillEstimate {
  let filled = 0;
  let cost = 0;
  for (const [price, quantity] of levels) {
    if (filled === order.quantity || (order.side === 'buy' ? price > order.limit : price < order.limit)) break;
    const taken = Math.min(quantity, order.quantity - filled);
    filled += taken;
    cost += notional(market, price, taken);
  }
  return { filled, notional: cost };
}
