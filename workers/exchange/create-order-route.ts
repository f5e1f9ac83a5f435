import { createRoute, z } from '@hono/zod-openapi';
import { placeOrder } from '../../application/order-entry/place-order.ts';
import { waitsUntil } from '../../domain/markets/trading-hours.ts';
import { orderStateOf } from '../../domain/order-state/order-state.ts';
import { principalOf, resourceIdOf } from '../middleware/app-env.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { createdAtOf } from '../responses/created-at-of.ts';
import { orderFailure } from './order-failure.ts';
import { malformedOrder, OrderRequest, orderRequestOf } from './order-request-body.ts';
import { OrderSide } from './order-schema.ts';

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
      invalid: malformedOrder,
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
        orderRequestOf(body, resourceIdOf(c)),
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
