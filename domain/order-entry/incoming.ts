import { AMOUNT_MAX } from '../ledger/balances.ts';
import { type BookMarket, notional } from '../markets/market.ts';
import type { MarketPrices } from '../markets/price-band.ts';
import type { Side } from '../orders/order.ts';
import { PRICE_MAX } from './exact-notional.ts';

/** A sale at a broker counts at most at so many times the highest price that is known of it. */
const TIMES_KNOWN = 16;
/** Where that is less, at what brings this for the whole order, in quote units: a price that nobody knows yet is no error of the broker's. */
const CASH_AT_LEAST = 2 ** 35;

/**
 * The highest price that an execution of a sell at a broker counts at. Its limit is a floor: without an end above it nobody could say what the
 * order may bring. An execution beyond is a break (docs/design/broker.md#breaks).
 */
export function priceMostOf(
  market: BookMarket,
  { limit, quantity }: { readonly limit: number; readonly quantity: number },
  { last, reference }: MarketPrices,
): number {
  // What the order itself asks for is known where nothing else is.
  const known = Math.max(last ?? 0, reference ?? 0) || limit;
  const wanted = Math.max(limit, known * TIMES_KNOWN, priceAt(market, CASH_AT_LEAST, quantity));
  return Math.max(limit, Math.min(wanted, priceAt(market, AMOUNT_MAX, quantity), PRICE_MAX));
}

/** The highest price at which the quantity brings no more than this. */
function priceAt({ priceScale, quantityScale, quoteScale }: BookMarket, cash: number, quantity: number): number {
  const exponent = priceScale + quantityScale - quoteScale;
  const [up, down] = exponent < 0 ? [1n, 10n ** BigInt(-exponent)] : [10n ** BigInt(exponent), 1n];
  const price = (BigInt(cash) * up) / (BigInt(quantity) * down);
  return price > BigInt(PRICE_MAX) ? PRICE_MAX : Number(price);
}

/** What the executions of an order at a broker may still bring: shares of a buy, cash of a sell. Undefined where nothing, or nobody said how much. */
export function incomingOf(
  market: BookMarket,
  order: { readonly side: Side; readonly remaining: number; readonly priceMost?: number | undefined },
): number | undefined {
  const { side, remaining, priceMost } = order;
  if (remaining === 0) return undefined;
  if (side === 'buy') return remaining;
  return priceMost === undefined ? undefined : notional(market, priceMost, remaining);
}
