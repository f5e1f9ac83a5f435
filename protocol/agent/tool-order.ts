import { z } from 'zod';
import { plainNumber, plainNumberOrNull } from '../../domain/money/plain-number.ts';
import { SIDES } from '../../domain/orders/order.ts';
import { DecimalText, Milliseconds } from './output-fields.ts';

/** An order as profile B answers it, as far as tools read it. */
export const OrderAnswer = z.object({
  order_id: z.string(),
  client_order_id: z.string().nullable(),
  symbol: z.string(),
  side: z.enum(SIDES),
  type: z.string(),
  status: z.string(),
  size: z.number(),
  price: z.number().nullable(),
  filled_size: z.number(),
  created_at: z.int(),
});

/** The same with what is left of it, which only an order that stood for a while can have less of than its terms say. */
export const OpenOrderAnswer = OrderAnswer.extend({ remaining_size: z.number() });

/** An order as tools give it. */
export const ToolOrder = z.strictObject({
  orderId: z.string(),
  symbol: z.string(),
  side: z.enum(SIDES),
  orderType: z.string(),
  status: z.string().describe('open, partially_filled, filled, cancelled, expired, pending_trigger or rejected.'),
  quantity: DecimalText,
  price: DecimalText.nullable().describe('Null for a market order.'),
  filledQuantity: DecimalText,
  createdAt: Milliseconds,
});

export const RemainingQuantity = DecimalText.describe(
  'What it may yet fill: less than the rest of its quantity once self-trade prevention has taken from it, 0 once it is final.',
);

export function toolOrderOf(order: z.infer<typeof OrderAnswer>): z.infer<typeof ToolOrder> {
  return {
    orderId: order.order_id,
    symbol: order.symbol,
    side: order.side,
    orderType: order.type,
    status: order.status,
    quantity: plainNumber(order.size),
    price: plainNumberOrNull(order.price),
    filledQuantity: plainNumber(order.filled_size),
    createdAt: order.created_at,
  };
}
