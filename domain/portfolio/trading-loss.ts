import { type Market, notional } from '../markets/market.ts';

/** What the fills of a day in one market came to: shares net of sales, cash net of purchases and fees. Scaled integers. */
export interface NetTrading {
  readonly market: Pick<Market, 'priceScale' | 'quantityScale' | 'quoteScale'>;
  readonly quantity: number;
  readonly cash: number;
  /** What was held when the day began; never negative. */
  readonly overnight: number;
  /** Last price, which everything held is valued at. */
  readonly last: number;
  /** Last price when the day began. */
  readonly lastBefore: number;
}

/**
 * What a day has lost so far, in quote units: 0 for a gain. Realized and unrealized: what is still held is valued at its last price,
 * and what was held when the day began is counted from its price then.
 */
export function tradingLoss(trading: readonly NetTrading[]): number {
  const gain = trading.reduce((sum, { market, quantity, cash, overnight, last, lastBefore }) => {
    const value = notional(market, last, Math.abs(quantity));
    const carried = notional(market, last, overnight) - notional(market, lastBefore, overnight);
    return sum + cash + (quantity < 0 ? -value : value) + carried;
  }, 0);
  return Math.max(0, -gain);
}
