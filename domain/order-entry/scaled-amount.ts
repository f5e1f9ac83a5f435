import { type ScaledError, toScaled } from '../money/scaled.ts';
import { err, type Result } from '../result.ts';
import { PRICE_MAX } from './exact-notional.ts';

/** Why a number is none that an order of the market could have. */
export type AmountError = ScaledError | { readonly reason: 'not_positive' };

/** How far a number of an order may go: a price no further than collars and bands around it stay exact. */
const AMOUNT_MAX = {
  quantity: Number.MAX_SAFE_INTEGER,
  price: PRICE_MAX,
  stopPrice: PRICE_MAX,
  displayQuantity: Number.MAX_SAFE_INTEGER,
} as const;

export type NumericField = keyof typeof AMOUNT_MAX;

/** A number of an order as a positive scaled integer. What is none is no order: nothing is kept of it. */
export function scaledAmount(field: NumericField, value: number, scale: number): Result<number, AmountError> {
  const scaled = toScaled(value, scale);
  if (!scaled.ok) return scaled;
  if (scaled.value <= 0) return err({ reason: 'not_positive' });
  return scaled.value > AMOUNT_MAX[field] ? err({ reason: 'too_large' }) : scaled;
}
