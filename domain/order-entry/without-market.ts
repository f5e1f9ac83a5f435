import type { Market } from '../markets/market.ts';

/** Decimals of a price in orders of routes without a market of ours. */
export const PRICE_SCALE_WITHOUT_MARKET = 4;

/** An asset without a market takes any number that fits its scales. */
export const RULES_WITHOUT_MARKET: Pick<Market, 'tickSize' | 'lotSize' | 'quantityMin' | 'quantityMax'> = {
  tickSize: 1,
  lotSize: 1,
  quantityMin: 1,
  quantityMax: Number.MAX_SAFE_INTEGER,
};
