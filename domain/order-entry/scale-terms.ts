import type { OrderTerms, OrderType, SelfTradePrevention, Side, TimeInForce } from '../orders/order.ts';
import { err, ok, type Result } from '../result.ts';
import { ALLOWED_TIME_IN_FORCE } from './allowed-time-in-force.ts';
import { TIME_MAX_MS } from './assert-storable.ts';
import { type AmountError, type NumericField, scaledAmount } from './scaled-amount.ts';

/** What a door asks for: JSON numbers as they came, null where nothing was said. */
export interface TermsRequest {
  readonly side: Side;
  readonly type: OrderType;
  readonly timeInForce: TimeInForce | null;
  readonly quantity: number;
  readonly price: number | null;
  readonly stopPrice: number | null;
  /** Unix milliseconds. */
  readonly expiresAt: number | null;
  readonly selfTradePrevention: SelfTradePrevention | null;
  readonly hidden: boolean;
  readonly displayQuantity: number | null;
}

const SCALE_OF = {
  quantity: 'quantityScale',
  price: 'priceScale',
  stopPrice: 'priceScale',
  displayQuantity: 'quantityScale',
} as const;

/** The first number that no order of the market could have. */
export interface UnscalableField {
  readonly field: NumericField | 'expiresAt';
  readonly error: AmountError;
}

/**
 * Turns a request into scaled terms, all of them positive, and fills in the defaults: the type's own time in force, and that a taker which would trade with
 * its own account is cancelled (docs/design/matching.md#self-trade-prevention). Says nothing about whether the terms make sense: see
 * terms-failure.
 */
export function scaleTerms(
  request: TermsRequest,
  scales: { readonly priceScale: number; readonly quantityScale: number },
): Result<OrderTerms, UnscalableField> {
  const scaled: Record<NumericField, number | null> = {
    quantity: null,
    price: null,
    stopPrice: null,
    displayQuantity: null,
  };
  for (const field of ['quantity', 'price', 'stopPrice', 'displayQuantity'] as const) {
    const value = request[field];
    if (value === null) continue;
    const result = scaledAmount(field, value, scales[SCALE_OF[field]]);
    if (!result.ok) return err({ field, error: result.error });
    scaled[field] = result.value;
  }
  const { expiresAt } = request;
  if (expiresAt !== null && expiresAt <= 0) return err({ field: 'expiresAt', error: { reason: 'not_positive' } });
  if (expiresAt !== null && expiresAt > TIME_MAX_MS) return err({ field: 'expiresAt', error: { reason: 'too_large' } });
  return ok({
    side: request.side,
    type: request.type,
    timeInForce: request.timeInForce ?? ALLOWED_TIME_IN_FORCE[request.type][0],
    quantity: scaled.quantity ?? 0,
    price: scaled.price,
    stopPrice: scaled.stopPrice,
    expiresAt,
    selfTradePrevention: request.selfTradePrevention ?? 'cancel_newest',
    hidden: request.hidden,
    displayQuantity: scaled.displayQuantity,
  });
}
