import type { Market } from '../markets/market.ts';

/** No price goes further, so that collars and bands around it stay exact. */
export const PRICE_MAX = Math.floor(Number.MAX_SAFE_INTEGER / 4);

/** Whether notional and fee numerator of the whole order stay exact. */
export function isNotionalExact(market: Market, price: number, quantity: number): boolean {
  const exponent = market.priceScale + market.quantityScale - market.quoteScale;
  const rough = price * quantity * 10 ** -exponent;
  const feeBps = Math.max(market.makerFeeBps, market.takerFeeBps, 1);
  return rough * feeBps < Number.MAX_SAFE_INTEGER / 2;
}
