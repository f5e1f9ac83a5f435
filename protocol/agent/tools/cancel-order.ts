import { z } from 'zod';
import { plainNumber } from '../../../domain/money/plain-number.ts';
import { DecimalText, Milliseconds } from '../output-fields.ts';
import { SymbolParameter } from '../symbol-parameter.ts';
import { defineTool } from '../tool.ts';
import { RemainingQuantity } from '../tool-order.ts';

export const CANCEL_TOOL = 'cancel_order';

export const cancelOrder = defineTool({
  name: CANCEL_TOOL,
  title: 'Cancel an order',
  description: 'Cancels an open order of the account, if it stands on the given trading pair.',
  input: z.strictObject({ order_id: z.uuid(), symbol: SymbolParameter }),
  output: z.strictObject({
    orderId: z.string(),
    symbol: z.string(),
    status: z.string(),
    quantity: DecimalText,
    filledQuantity: DecimalText,
    remainingQuantity: RemainingQuantity,
    cancelledAt: Milliseconds,
  }),
  answer: z.object({
    order_id: z.string(),
    symbol: z.string(),
    status: z.string(),
    size: z.number(),
    filled_size: z.number(),
    remaining_size: z.number(),
    updated_at: z.int(),
  }),
  effects: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
  marketData: false,
  callOf: ({ order_id: orderId, symbol }) => ({
    method: 'DELETE',
    path: `/v1/orders/${orderId}?symbol=${encodeURIComponent(symbol)}`,
    body: null,
    idempotencyKey: null,
  }),
  outputOf: (order) => ({
    orderId: order.order_id,
    symbol: order.symbol,
    status: order.status,
    quantity: plainNumber(order.size),
    filledQuantity: plainNumber(order.filled_size),
    remainingQuantity: plainNumber(order.remaining_size),
    cancelledAt: order.updated_at,
  }),
});
