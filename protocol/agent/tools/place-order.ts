import { z } from 'zod';
import { CLIENT_ORDER_ID, CLIENT_ORDER_ID_WORDS } from '../../order-entry/client-order-id.ts';
import { OrderParameters, orderBodyOf } from '../order-parameters.ts';
import { defineTool } from '../tool.ts';
import { OrderAnswer, ToolOrder, toolOrderOf } from '../tool-order.ts';

export const placeOrder = defineTool({
  name: 'place_order',
  title: 'Place an order',
  description:
    'Places an order with the money of the account, within the limits of its API key. With client_order_id the same call may be repeated safely: it gives the first answer and places nothing more.',
  input: z.strictObject({
    ...OrderParameters.shape,
    client_order_id: z
      .string()
      // Hosts of some models refuse a pattern that looks ahead, so `.` and `..` are apart.
      .regex(/^[\x21-\x7e]{1,64}$/, { error: CLIENT_ORDER_ID_WORDS, abort: true })
      .refine((text) => CLIENT_ORDER_ID.test(text), CLIENT_ORDER_ID_WORDS)
      .exactOptional()
      .describe('Your own id of the order, unique per account.'),
  }),
  output: ToolOrder,
  answer: OrderAnswer,
  effects: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  marketData: false,
  callOf: ({ client_order_id: clientOrderId, ...order }) => ({
    method: 'POST',
    path: '/v1/orders',
    body: { ...orderBodyOf(order), ...(clientOrderId === undefined ? {} : { client_order_id: clientOrderId }) },
    idempotencyKey: clientOrderId === undefined ? null : `agent:${clientOrderId}`,
  }),
  outputOf: toolOrderOf,
});
