import { z } from '@hono/zod-openapi';
import type { BookOrder } from '../../data/orders/book-orders.ts';
import { fromScaled } from '../../domain/money/scaled.ts';
import { ORDER_STATUSES } from '../../domain/orders/order.ts';
import { averagePrice } from '../../domain/portfolio/average-price.ts';
import type { OrderReport } from '../../durable-objects/order-book/api.ts';

/** What a cancellation or amendment has made of an order. */
export const OrderChange = z
  .object({
    order_id: z.uuid(),
    symbol: z.string(),
    price: z.number().nullable(),
    size: z.number(),
    filled_size: z.number(),
    remaining_size: z.number().openapi({ description: 'What it may yet fill.' }),
    average_price: z.number().nullable(),
    status: z.enum(ORDER_STATUSES),
    updated_at: z.int().openapi({ description: 'Unix milliseconds.' }),
  })
  .openapi('OrderChange');

export function orderChangeOf(report: OrderReport, market: BookOrder['market']): z.infer<typeof OrderChange> {
  const { symbol, priceScale, quantityScale, quoteScale } = market;
  return {
    order_id: report.orderId,
    symbol,
    price: report.price === null ? null : fromScaled(report.price, priceScale),
    size: fromScaled(report.quantity, quantityScale),
    filled_size: fromScaled(report.filled, quantityScale),
    remaining_size: fromScaled(report.remaining, quantityScale),
    average_price:
      report.filled === 0 ? null : averagePrice(report.filledNotional, quoteScale, report.filled, quantityScale),
    status: report.status,
    updated_at: report.timestamp,
  };
}
