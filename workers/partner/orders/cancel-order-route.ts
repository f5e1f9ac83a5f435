import { createRoute, z } from '@hono/zod-openapi';
import { marketScalesOf } from '../../../application/order-entry/market-scales-of.ts';
import { cancelPartnerOrder } from '../../../application/partner/orders/cancel-partner-order.ts';
import { fromScaled } from '../../../domain/money/scaled.ts';
import { PARTNER_ORDER_STATUSES, partnerOrderStatusOf } from '../../../domain/partner/order-status.ts';
import { isRepetition, partnerOf } from '../../middleware/app-env.ts';
import { clientAddressOf } from '../../middleware/client-address.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { isoTime, jsonOf } from '../../responses/wire.ts';
import { CANCELLED_ORDER } from '../examples.ts';
import { orderFailure } from './order-schema.ts';

const CancelledOrder = z
  .object({
    order_id: z.uuid(),
    status: z.enum(PARTNER_ORDER_STATUSES),
    filled_quantity: z.number(),
    cancelled_at: z.iso.datetime(),
  })
  .openapi('CancelledPartnerOrder', { example: CANCELLED_ORDER });

/** DELETE /v1/orders/{id} (P-ORD-04). */
export function cancelOrderRoute(partner: Profile): void {
  registerRoute(
    partner,
    {
      access: { credential: 'partner', roles: ['cross_lister'], whileSuspended: true },
      bucket: 'cancels',
      idempotent: true,
      errors: ['ORDER_NOT_FOUND'],
    },
    createRoute({
      method: 'delete',
      path: '/v1/orders/{id}',
      tags: ['orders'],
      summary: 'Cancel an order of your investor',
      request: { params: z.object({ id: z.uuid() }) },
      responses: { 200: jsonOf('Cancelled; what had been filled stays.', CancelledOrder) },
    }),
    async (c) => {
      const outcome = await cancelPartnerOrder(c.env, {
        organization: partnerOf(c).organization,
        orderId: c.req.valid('param').id,
        clientAddress: clientAddressOf(c),
        isRepetition: isRepetition(c),
      });
      if (!outcome.ok) return orderFailure(c, outcome.error);
      const { report, symbol } = outcome.value;
      const { quantityScale } = await marketScalesOf(c.env, symbol);
      const cancelled = {
        order_id: report.orderId,
        status: partnerOrderStatusOf(report.status),
        filled_quantity: fromScaled(report.filled, quantityScale),
        cancelled_at: isoTime(report.timestamp),
      };
      return c.json(cancelled, 200);
    },
  );
}
