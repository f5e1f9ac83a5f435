import type { Principal } from '../identity/principal.ts';
import { fromScaled } from '../money/scaled.ts';
import type { OrderInstrument } from './instrument.ts';

export type KeyLimitsFailure =
  | { readonly reason: 'symbol_not_allowed'; readonly symbol: string }
  | { readonly reason: 'order_size_exceeded'; readonly quantity: number; readonly quantityMax: number };

/**
 * Why the API key may not place or amend an order of this instrument and size, or null: its list of markets and its largest order. The
 * failure's quantities are JSON numbers.
 *
 * @param quantity scaled
 */
export function keyLimitsFailure(
  { symbols, orderSizeLimits }: Pick<Principal, 'symbols' | 'orderSizeLimits'>,
  {
    asset,
    market,
  }: {
    readonly asset: Pick<OrderInstrument['asset'], 'id' | 'symbol' | 'scale'>;
    readonly market: { readonly symbol: string } | null;
  },
  quantity: number,
): KeyLimitsFailure | null {
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
