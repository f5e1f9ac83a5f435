import { z } from 'zod';
import { plainNumber } from '../../../domain/money/plain-number.ts';
import { CursorParameter, NextCursor, PAGE_WORDS } from '../next-page.ts';
import { get } from '../rest-call.ts';
import { SymbolParameter } from '../symbol-parameter.ts';
import { defineTool, READS } from '../tool.ts';
import { OpenOrderAnswer, RemainingQuantity, ToolOrder, toolOrderOf } from '../tool-order.ts';

export const getOpenOrders = defineTool({
  name: 'get_open_orders',
  title: 'Open orders',
  description: `Orders of the account that are not final, newest first. ${PAGE_WORDS}`,
  input: z.strictObject({ symbol: SymbolParameter.exactOptional(), cursor: CursorParameter.exactOptional() }),
  output: z.strictObject({
    orders: z.array(
      z.strictObject({
        ...ToolOrder.shape,
        remainingQuantity: RemainingQuantity,
        clientOrderId: z.string().nullable(),
      }),
    ),
    nextCursor: NextCursor,
  }),
  answer: z.object({ orders: z.array(OpenOrderAnswer) }),
  effects: { ...READS, openWorldHint: false },
  marketData: false,
  callOf: ({ symbol, cursor }) => get('/v1/orders', { status: 'open', symbol, cursor }),
  outputOf: ({ orders }, nextCursor) => ({
    orders: orders.map((order) => ({
      ...toolOrderOf(order),
      remainingQuantity: plainNumber(order.remaining_size),
      clientOrderId: order.client_order_id,
    })),
    nextCursor,
  }),
});
