import { createRoute } from '@hono/zod-openapi';
import { skipDelivery } from '../../../application/partner/webhooks/deliveries.ts';
import { partnerOf } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { jsonOf } from '../../responses/wire.ts';
import { WEBHOOK_ROUTE } from '../partner-route.ts';
import { DeliveryDetail, DeliveryParams, deliveryDetailOnWire } from './webhook-schema.ts';

/** POST /v1/webhooks/{id}/deliveries/{delivery_id}/skip */
export function skipDeliveryRoute(partner: Profile): void {
  registerRoute(
    partner,
    { ...WEBHOOK_ROUTE, errors: ['CONFLICT'] },
    createRoute({
      method: 'post',
      path: '/v1/webhooks/{id}/deliveries/{delivery_id}/skip',
      tags: ['webhooks'],
      summary: 'Give up a delivery that waits, so that those behind it go on',
      request: { params: DeliveryParams },
      responses: { 200: jsonOf('The delivery.', DeliveryDetail) },
    }),
    async (c) => {
      const { id, delivery_id: deliveryId } = c.req.valid('param');
      const skipped = await skipDelivery(c.env, partnerOf(c), id, deliveryId);
      return skipped.ok ? c.json(deliveryDetailOnWire(skipped.value), 200) : failure(c, skipped.error);
    },
  );
}
