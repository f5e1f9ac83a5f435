import { createRoute } from '@hono/zod-openapi';
import { readDelivery } from '../../../application/partner/webhooks/deliveries.ts';
import { partnerOf } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { jsonOf } from '../../responses/wire.ts';
import { PARTNER_READ } from '../partner-route.ts';
import { DeliveryDetail, DeliveryParams, deliveryDetailOnWire } from './webhook-schema.ts';

/** GET /v1/webhooks/{id}/deliveries/{delivery_id} */
export function getDeliveryRoute(partner: Profile): void {
  registerRoute(
    partner,
    PARTNER_READ,
    createRoute({
      method: 'get',
      path: '/v1/webhooks/{id}/deliveries/{delivery_id}',
      tags: ['webhooks'],
      summary: 'A delivery with its body and every try',
      request: { params: DeliveryParams },
      responses: { 200: jsonOf('The delivery.', DeliveryDetail) },
    }),
    async (c) => {
      const { id, delivery_id: deliveryId } = c.req.valid('param');
      const found = await readDelivery(c.env, partnerOf(c), id, deliveryId);
      return found.ok ? c.json(deliveryDetailOnWire(found.value), 200) : failure(c, found.error);
    },
  );
}
