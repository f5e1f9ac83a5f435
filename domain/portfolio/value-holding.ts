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
  const scale = scales.priceScale + scales.quantityScale;
  const { value, profit } = exactly(quantity, lastPrice ?? 0, scale, cost, scales.quoteScale);
  const marketValue = lastPrice === null ? paid : value;
  const unrealizedPnl = lastPrice === null ? 0 : profit;
  return {
    quantity: units,
    averageCost,
    currentPrice,
    marketValue,
    unrealizedPnl,
    unrealizedPnlPercent: paid === 0 ? 0 : rounded((unrealizedPnl / paid) * 100),
  };
}

/** What a quantity is worth at a price, and what that is above its cost: as exact as a JSON number is, however large it is. @param scale of quantity times price */
function exactly(quantity: number, price: number, scale: number, cost: number, costScale: number) {
  const value = BigInt(quantity) * BigInt(price);
  const common = Math.max(scale, costScale);
  const scaled = (amount: bigint, from: number) => amount * 10n ** BigInt(common - from);
  const profit = scaled(value, scale) - scaled(BigInt(cost), costScale);
  return { value: Number(`${value}e-${scale}`), profit: Number(`${profit}e-${common}`) };
}
