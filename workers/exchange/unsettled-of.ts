import type { HoldingRow } from '../../data/accounts/portfolio.ts';
import { fromScaled } from '../../domain/money/scaled.ts';

/** Shares of a holding that have not settled. What was bought may have been sold on before it has: no more than is left is named. */
export function unsettledOf(
  { assetId, quantity, quantityScale }: Pick<HoldingRow, 'assetId' | 'quantity' | 'quantityScale'>,
  unsettled: ReadonlyMap<string, number>,
): number {
  return fromScaled(Math.min(quantity, unsettled.get(assetId) ?? 0), quantityScale);
}
