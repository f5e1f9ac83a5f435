import type { SourceLevel } from '../broker/market-data-source.ts';
import type { Market } from '../markets/market.ts';
import { decimalToScaled } from '../money/decimal-text.ts';

/**
 * What a source displays of one side of a book, in the units of a market. What the market cannot count is left out: an estimate of what an order meets is
 * then too small, never too large.
 */
export function sourceLevels(
  levels: readonly SourceLevel[],
  { priceScale, quantityScale }: Pick<Market, 'priceScale' | 'quantityScale'>,
): [price: number, quantity: number][] {
  return levels.flatMap((level): [number, number][] => {
    const price = decimalToScaled(level.price, priceScale);
    const quantity = decimalToScaled(level.quantity, quantityScale);
    const isCounted = price.ok && quantity.ok && price.value > 0 && quantity.value > 0;
    return isCounted ? [[price.value, quantity.value]] : [];
  });
}
