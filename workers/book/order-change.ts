import { z } from '@hono/zod-openapi';
import type { BookOrder } from '../../data/orders/book-orders.ts';
import { fromScaled } from '../../domain/money/scaled.ts';
import { isFinal } from '../../domain/order-state/order-state.ts';
import { SIDES } from '../../domain/orders/order.ts';
import type { StandingTerms } from '../../domain/orders/standing-terms.ts';
import { averagePrice } from '../../domain/portfolio/average-price.ts';
import type { OrderReport } from '../../durable-objects/order-book/api.ts';
import { createdAtOf } from '../responses/created-at-of.ts';
import { Order } from './order.ts';

const UNSAID = 'Null in the rare case that neither the book nor the database says it at the moment.';

/** What a cancellation or amendment has made of an order: the order, as it is read. */
export const OrderChange = Order.extend({
  side: z.enum(SIDES).nullable().openapi({ description: UNSAID }),
  type: z.string().nullable().openapi({ description: UNSAID, example: 'limit' }),
  time_in_force: z.string().nullable().openapi({ description: UNSAID, example: 'GTC' }),
}).openapi('OrderChange');

/** @param terms what the order is; null where nobody can say that now */
export function orderChangeOf(
  report: OrderReport,
  market: BookOrder['market'],
  terms: StandingTerms | null,
): z.infer<typeof OrderChange> {
  const { symbol, priceScale, quantityScale, quoteScale } = market;
  const price = (scaled: number | null | undefined) => (scaled == null ? null : fromScaled(scaled, priceScale));
  return {
    order_id: report.orderId,
    client_order_id: terms?.clientOrderId ?? null,
    symbol,
    side: terms?.side ?? null,
    type: terms?.type ?? null,
    time_in_force: terms?.timeInForce ?? null,
    price: price(report.price),
    stop_price: price(terms?.stopPrice),
    size: fromScaled(report.quantity, quantityScale),
    filled_size: fromScaled(report.filled, quantityScale),
    remaining_size: isFinal(report.status) ? 0 : fromScaled(report.remaining, quantityScale),
    average_price:
      report.filled === 0 ? null : averagePrice(report.filledNotional, quoteScale, report.filled, quantityScale),
    status: report.status,
    reason: report.code,
    expires_at: terms?.expiresAt ?? null,
    created_at: createdAtOf(report.orderId),
    updated_at: report.timestamp,
    is_indication: terms?.preIpo ?? false,
  };
}
