import { type Market, notional } from '../markets/market.ts';

/** What fills in one market came to: shares net of sales, cash net of purchases and fees. Scaled integers. */
export interface NetTrading {
  readonly market: Pick<Market, 'priceScale' | 'quantityScale' | 'quoteScale'>;
  readonly quantity: number;
  readonly cash: number;
  /** Last price, which the net quantity is valued at. */
  readonly last: number;
}

/** What trading has lost so far, in quote units: 0 for a gain. What is still held is valued at its last price. */
export function tradingLoss(trading: readonly NetTrading[]): number {
  const gain = trading.reduce((sum, { market, quantity, cash, last }) => {
    const value = notional(market, last, Math.abs(quantity));
    return sum + cash + (quantity < 0 ? -value : value);
  }, 0);
  return Math.max(0, -gain);
}
