import type { Instrument } from '../../../data/catalog/instruments.ts';
import type { Principal } from '../../../domain/identity/principal.ts';
import { fromScaled } from '../../../domain/money/scaled.ts';
import type { OrderEntryFailure } from '../order-entry-failure.ts';

/** Why the API key may not place or amend an order of this instrument and size, or null: its list of markets and its largest order. */
export function keyLimitsFailure(
  { symbols, orderSizeLimits }: Pick<Principal, 'symbols' | 'orderSizeLimits'>,
  { asset, market }: Instrument,
  quantity: number,
): OrderEntryFailure | null {
  const symbol = market?.symbol ?? asset.symbol;
  if (symbols !== null && !symbols.includes(symbol)) return { reason: 'symbol_not_allowed', symbol };
  const quantityMax = orderSizeLimits?.[asset.id];
  if (quantityMax === undefined || quantity <= quantityMax) return null;
  return {
    reason: 'order_size_exceeded',
    quantity: fromScaled(quantity, asset.scale),
    quantityMax: fromScaled(quantityMax, asset.scale),
  };
}
