import { z } from '@hono/zod-openapi';
import type { OrderRequest as RequestedOrder } from '../../application/order-entry/order-request.ts';
import { apiError } from '../../protocol/errors/api-error.ts';
import { issueDetails } from '../../protocol/errors/issue-details.ts';
import { CLIENT_ORDER_ID, CLIENT_ORDER_ID_WORDS } from '../../protocol/order-entry/client-order-id.ts';
import type { AppContext } from '../middleware/app-env.ts';
import { failure } from '../responses/failure.ts';
import { OrderSide } from './order-schema.ts';

/** An order of profile A, to be placed or previewed. */
export const OrderRequest = z
  .strictObject({
    assetId: z.string().min(1).max(200),
    side: OrderSide,
    orderType: z.enum(['market', 'limit']),
    quantity: z.number().positive(),
    limitPrice: z.number().positive().optional().openapi({ description: 'Of limit orders.' }),
    isPreIPO: z.boolean().optional().openapi({
      description:
        'True for pre-IPO orders: indications of interest, which bind nobody. Refused where the order would be firm, and false where it would be an indication.',
    }),
    timeInForce: z
      .enum(['GTC', 'IOC', 'FOK', 'GTD', 'POST_ONLY'])
      .optional()
      .openapi({ description: 'GTC, for market IOC.' }),
    expiresAt: z.iso.datetime({ offset: true }).optional().openapi({ description: 'Of GTD orders.' }),
    clientOrderId: z
      .string()
      .regex(CLIENT_ORDER_ID, CLIENT_ORDER_ID_WORDS)
      .optional()
      .openapi({ description: 'Unique within the account; visible ASCII, neither `.` nor `..`.' }),
  })
  .openapi('ExchangeOrderRequest');

/** The order as order entry takes it. @param orderId UUIDv7 */
export function orderRequestOf(body: z.infer<typeof OrderRequest>, orderId: string): RequestedOrder {
  return {
    orderId,
    instrument: { assetId: body.assetId },
    side: body.side === 'BUY' ? 'buy' : 'sell',
    type: body.orderType,
    timeInForce: body.timeInForce ?? null,
    quantity: body.quantity,
    price: body.limitPrice ?? null,
    stopPrice: null,
    expiresAt: body.expiresAt === undefined ? null : Date.parse(body.expiresAt),
    selfTradePrevention: null,
    hidden: false,
    displayQuantity: null,
    clientOrderId: body.clientOrderId ?? null,
    preIpo: body.isPreIPO ?? null,
  };
}

/** Answers a body that is no order. */
export function malformedOrder(c: AppContext, { issues }: z.ZodError) {
  const unsupported = issues.some(({ path }) => path[0] === 'orderType' || path[0] === 'timeInForce');
  const code = unsupported ? 'INVALID_ORDER_TYPE' : 'VALIDATION_ERROR';
  return failure(c, apiError(code, 'the order is malformed', issueDetails(issues)));
}
