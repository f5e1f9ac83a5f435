import { z } from '@hono/zod-openapi';
import type { PlacedOrder } from '../../application/order-entry/placement.ts';
import type { BookOrder } from '../../data/orders/book-orders.ts';
import { fromScaled } from '../../domain/money/scaled.ts';
import { ORDER_STATUSES, SIDES } from '../../domain/orders/order.ts';
import { remainingOf } from '../../domain/orders/remaining-of.ts';
import { averagePrice } from '../../domain/portfolio/average-price.ts';
import { createdAtOf } from '../responses/created-at-of.ts';

/** An order on the wire (X-BRQ-07) with the optional fields of docs/design/matching.md#optional-fields. */
export const Order = z
  .object({
    order_id: z.uuid(),
    client_order_id: z.string().nullable(),
    symbol: z.string().openapi({ example: 'ACME-USD' }),
    side: z.enum(SIDES),
    type: z.string().openapi({ example: 'limit' }),
    time_in_force: z.string().openapi({ example: 'GTC' }),
    price: z.number().nullable(),
    stop_price: z.number().nullable(),
    size: z.number(),
    filled_size: z.number(),
    remaining_size: z.number().openapi({
      description:
        'What it may yet fill: less than the rest of its size once self-trade prevention has taken from it, 0 once it is final.',
    }),
    average_price: z
      .number()
      .nullable()
      .openapi({ description: 'Of what has been filled; null before the first fill.' }),
    status: z.enum(ORDER_STATUSES),
    reason: z.string().nullable().openapi({ description: 'Why it was rejected, cancelled or has expired.' }),
    expires_at: z.int().nullable().openapi({ description: 'Unix milliseconds; of GTD orders.' }),
    created_at: z.int().openapi({ description: 'Unix milliseconds.' }),
    updated_at: z.int().openapi({ description: 'When it came to stand like this, Unix milliseconds.' }),
    is_indication: z.boolean().openapi({
      description:
        'An indication of interest in a pre-IPO asset, placed in profile A: while it is open it binds nobody and holds nothing.',
    }),
  })
  .openapi('Order');

export type Order = z.infer<typeof Order>;

type Scales = BookOrder['market'];

/** The order as the ledger has it. */
export function orderOf({ order: record, market }: BookOrder): Order {
  return {
    order_id: record.id,
    client_order_id: record.clientOrderId,
    symbol: market.symbol,
    side: record.side,
    type: record.type,
    time_in_force: record.timeInForce,
    price: price(record.price, market),
    stop_price: price(record.stopPrice, market),
    size: fromScaled(record.quantity, market.quantityScale),
    filled_size: fromScaled(record.filled, market.quantityScale),
    remaining_size: fromScaled(remainingOf(record), market.quantityScale),
    average_price: average(record, market),
    status: record.status,
    reason: record.code,
    expires_at: record.expiresAt,
    created_at: createdAtOf(record.id),
    updated_at: record.updatedAt,
    is_indication: record.preIpo === 1,
  };
}

/** The order as the book has just left it. */
export function placedOrder({ report, terms, market }: PlacedOrder, clientOrderId: string | null): Order {
  return {
    order_id: report.orderId,
    client_order_id: clientOrderId,
    symbol: market.symbol,
    side: terms.side,
    type: terms.type,
    time_in_force: terms.timeInForce,
    price: price(report.price, market),
    stop_price: price(terms.stopPrice, market),
    size: fromScaled(report.quantity, market.quantityScale),
    filled_size: fromScaled(report.filled, market.quantityScale),
    remaining_size: fromScaled(report.remaining, market.quantityScale),
    average_price: average(report, market),
    status: report.status,
    reason: report.code,
    expires_at: terms.expiresAt,
    created_at: createdAtOf(report.orderId),
    updated_at: report.timestamp,
    is_indication: false,
  };
}

function price(scaled: number | null, market: Scales): number | null {
  return scaled === null ? null : fromScaled(scaled, market.priceScale);
}

function average(fills: { readonly filled: number; readonly filledNotional: number }, market: Scales): number | null {
  if (fills.filled === 0) return null;
  return averagePrice(fills.filledNotional, market.quoteScale, fills.filled, market.quantityScale);
}
