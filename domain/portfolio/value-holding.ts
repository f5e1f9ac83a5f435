import type { Market } from '../markets/market.ts';
import { fromScaled } from '../money/scaled.ts';
import { averagePrice, rounded } from './average-price.ts';

/** A position and what was paid for it, in scaled integers. */
export interface Position {
  readonly quantity: number;
  /** Quote units. */
  readonly cost: number;
}

/** The numbers of a holding as profile A shows them. */
export interface HoldingValue {
  readonly quantity: number;
  readonly averageCost: number;
  readonly currentPrice: number;
  readonly marketValue: number;
  readonly unrealizedPnl: number;
  readonly unrealizedPnlPercent: number;
}

/** Values a position at the last price; what has none is shown at 0, as its quote is, and valued at what it cost. */
export function valueHolding(
  { quantity, cost }: Position,
  scales: Pick<Market, 'priceScale' | 'quantityScale' | 'quoteScale'>,
  lastPrice: number | null,
): HoldingValue {
  const units = fromScaled(quantity, scales.quantityScale);
  const paid = fromScaled(cost, scales.quoteScale);
  const averageCost = averagePrice(cost, scales.quoteScale, quantity, scales.quantityScale);
  const currentPrice = lastPrice === null ? 0 : fromScaled(lastPrice, scales.priceScale);
  const marketValue = lastPrice === null ? paid : rounded(units * currentPrice);
  const unrealizedPnl = rounded(marketValue - paid);
  return {
    quantity: units,
    averageCost,
    currentPrice,
    marketValue,
    unrealizedPnl,
    unrealizedPnlPercent: paid === 0 ? 0 : rounded((unrealizedPnl / paid) * 100),
  };
}
