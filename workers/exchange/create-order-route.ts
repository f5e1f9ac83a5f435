import { createRoute, z } from '@hono/zod-openapi';
import { placeOrder } from '../../application/order-entry/place-order.ts';
import { waitsUntil } from '../../domain/markets/trading-hours.ts';
import { orderStateOf } from '../../domain/order-state/order-state.ts';
import { apiError } from '../../protocol/errors/api-error.ts';
import { issueDetails } from '../../protocol/errors/issue-details.ts';
import { CLIENT_ORDER_ID, CLIENT_ORDER_ID_WORDS } from '../../protocol/order-entry/client-order-id.ts';
import { principalOf, resourceIdOf } from '../middleware/app-env.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { createdAtOf } from '../responses/created-at-of.ts';
import { failure } from '../responses/failure.ts';
import { orderFailure } from './order-failure.ts';
import { OrderSide } from './order-schema.ts';

const OrderRequest = z
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

const PlacedOrder = z
  .object({
    orderId: z.string(),
    assetId: z.string(),
    side: OrderSide,
    orderType: z.enum(['market', 'limit']),
    quantity: z.number(),
    status: z.literal('PENDING'),
    createdAt: z.iso.datetime(),
    waitsUntil: z.iso
      .datetime()
      .optional()
      .openapi({ description: 'While the market is closed: when it opens, and the order goes to the broker.' }),
  })
  .openapi('PlacedOrder');

/** POST /v1/orders. */
export function createOrderRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    {
      access: { credential: 'tenant' },
      bucket: 'orders',
      errors: ['ASSET_NOT_FOUND'],
      idempotent: true,
      invalid: (c, { issues }) => {
        const unsupported = issues.some(({ path }) => path[0] === 'orderType' || path[0] === 'timeInForce');
        const code = unsupported ? 'INVALID_ORDER_TYPE' : 'VALIDATION_ERROR';
        return failure(c, apiError(code, 'the order is malformed', issueDetails(issues)));
      },
    },
    createRoute({
      method: 'post',
      path: '/v1/orders',
      tags: ['orders'],
      summary: 'Place an order',
      request: { body: { required: true, content: { 'application/json': { schema: OrderRequest } } } },
      responses: {
        200: {
          description: 'Accepted. An order that fails validation is kept as REJECTED under `error.details.orderId`.',
          content: { 'application/json': { schema: z.object({ data: PlacedOrder, message: z.literal('ok') }) } },
        },
      },
    }),
    async (c) => {
      const body = c.req.valid('json');
      const outcome = await placeOrder(
        { env: c.env, principal: principalOf(c) },
        {
          orderId: resourceIdOf(c),
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
        },
      );
      if (!outcome.ok) return orderFailure(c, outcome.error.failure, outcome.error.orderId);
      const { report, market, terms } = outcome.value;
      const { orderId } = report;
      const createdAt = createdAtOf(orderId);
      const opens = waitsUntil(market.tradingHours, { ...report, ...terms, createdAt }, Date.now());
      const data = {
        orderId,
        assetId: body.assetId,
        side: body.side,
        orderType: body.orderType,
        quantity: body.quantity,
        status: orderStateOf('open'),
        createdAt: new Date(createdAt).toISOString(),
        ...(opens === null ? {} : { waitsUntil: new Date(opens).toISOString() }),
      };
      return c.json({ data, message: 'ok' as const }, 200);
    },
  );
}
