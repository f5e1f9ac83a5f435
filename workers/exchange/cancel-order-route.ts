import { createRoute, z } from '@hono/zod-openapi';
import { cancelOrder } from '../../application/order-entry/cancel-order.ts';
import { marketScalesOf } from '../../application/order-entry/market-scales-of.ts';
import { fromScaled } from '../../domain/money/scaled.ts';
import { isOpen, orderStateOf } from '../../domain/order-state/order-state.ts';
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

/** docs/decisions/api-exchange-profile.md#a-cancel-that-the-broker-has-not-confirmed-is-202 */
const WantedCancel = z
  .object({
    orderId: z.string(),
    status: z.enum(['PENDING', 'PARTIALLY_FILLED']),
    cancelledAt: z.null(),
    filledQuantity: z.number(),
  })
  .openapi('WantedCancel');

/** DELETE /v1/orders/{id}. */
export function cancelOrderRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    { access: { credential: 'tenant' }, bucket: 'cancels', idempotent: true },
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
        202: {
          description:
            'The broker was asked and has not confirmed yet: the order stays as it is, and ends when it does.',
          content: { 'application/json': { schema: z.object({ data: WantedCancel, message: z.literal('ok') }) } },
        },
      },
    }),
    async (c) => {
      const { id } = c.req.valid('param');
      const outcome = await cancelOrder({ env: c.env, principal: principalOf(c), isRepetition: isRepetition(c) }, id);
      if (!outcome.ok) return orderFailure(c, outcome.error);
      const { report, symbol } = outcome.value;
      const { quantityScale } = await marketScalesOf(c.env, symbol);
      const { orderId, status } = report;
      const filledQuantity = fromScaled(report.filled, quantityScale);
      if (isOpen(status)) {
        const data = { orderId, status: orderStateOf(status), cancelledAt: null, filledQuantity };
        return c.json({ data, message: 'ok' as const }, 202);
      }
      const cancelledAt = new Date(report.timestamp).toISOString();
      const data = { orderId, status: orderStateOf('cancelled'), cancelledAt, filledQuantity };
      return c.json({ data, message: 'ok' as const }, 200);
    },
  );
}
