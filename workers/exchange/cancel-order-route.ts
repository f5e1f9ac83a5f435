import { createRoute, z } from '@hono/zod-openapi';
import { cancelOrder } from '../../application/order-entry/cancel-order.ts';
import { marketScalesOf } from '../../application/order-entry/market-scales-of.ts';
import { fromScaled } from '../../domain/money/scaled.ts';
import { orderStateOf } from '../../domain/order-state/order-state.ts';
import { isRepetition, principalOf } from '../middleware/app-env.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { orderFailure } from './order-failure.ts';

const CancelledOrder = z
  .object({
    orderId: z.string(),
    status: z.literal('CANCELLED'),
    cancelledAt: z.iso.datetime(),
    filledQuantity: z.number(),
  })
  .openapi('CancelledOrder');

/** DELETE /v1/orders/{id}. */
export function cancelOrderRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    { access: { credential: 'tenant' }, bucket: 'private', idempotent: true },
    createRoute({
      method: 'delete',
      path: '/v1/orders/{id}',
      tags: ['orders'],
      summary: 'Cancel an order',
      request: { params: z.object({ id: z.string() }) },
      responses: {
        200: {
          description: 'Cancelled; what had been filled stays.',
          content: { 'application/json': { schema: z.object({ data: CancelledOrder, message: z.literal('ok') }) } },
        },
      },
    }),
    async (c) => {
      const { id } = c.req.valid('param');
      const outcome = await cancelOrder({ env: c.env, principal: principalOf(c), isRepetition: isRepetition(c) }, id);
      if (!outcome.ok) return orderFailure(c, outcome.error);
      const { report, symbol } = outcome.value;
      const { quantityScale } = await marketScalesOf(c.env, symbol);
      const data = {
        orderId: report.orderId,
        status: orderStateOf('cancelled'),
        cancelledAt: new Date(report.timestamp).toISOString(),
        filledQuantity: fromScaled(report.filled, quantityScale),
      };
      return c.json({ data, message: 'ok' as const }, 200);
    },
  );
}
