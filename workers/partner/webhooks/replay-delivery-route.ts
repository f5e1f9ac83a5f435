import { createRoute } from '@hono/zod-openapi';
import { replayDelivery } from '../../../application/partner/webhooks/deliveries.ts';
import { partnerOf, resourceIdOf } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { jsonOf } from '../../responses/wire.ts';
import { WEBHOOK_ROUTE } from '../partner-route.ts';
import { DeliveryDetail, DeliveryParams, deliveryDetailOnWire } from './webhook-schema.ts';

/** POST /v1/webhooks/{id}/deliveries/{delivery_id}/replay */
export function replayDeliveryRoute(partner: Profile): void {
  registerRoute(
    partner,
    { ...WEBHOOK_ROUTE, idempotent: true, errors: ['CONFLICT'] },
    createRoute({
      method: 'post',
      path: '/v1/webhooks/{id}/deliveries/{delivery_id}/replay',
      tags: ['webhooks'],
      summary: 'Send a delivery again, under the same webhook-id, behind what waits',
      request: { params: DeliveryParams },
      responses: { 202: jsonOf('The new delivery.', DeliveryDetail) },
    }),
    async (c) => {
      const { id, delivery_id: deliveryId } = c.req.valid('param');
      const replayed = await replayDelivery(c.env, partnerOf(c), id, { deliveryId, as: resourceIdOf(c) });
      return replayed.ok ? c.json(deliveryDetailOnWire(replayed.value), 202) : failure(c, replayed.error);
    },
  );
}
