import { createRoute, z } from '@hono/zod-openapi';
import { readDelivery } from '../../../application/partner/webhooks/deliveries.ts';
import { readRecipients } from '../../../application/partner/webhooks/read-recipients.ts';
import { Recipient } from '../../../protocol/partner/fields.ts';
import { partnerOf } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { jsonOf } from '../../responses/wire.ts';
import { DELIVERY_DETAIL } from '../examples.ts';
import { WEBHOOK_ROUTE } from '../partner-route.ts';
import { DeliveryDetail, DeliveryParams, deliveryDetailOnWire } from './webhook-schema.ts';

const DeliveryNow = DeliveryDetail.extend({
  recipients: z.array(Recipient).nullable().openapi({
    description:
      'Of a trade: who is told of it, and who has taken it by now, you or others. The message says `pending` of all: it was made before. Null for other events.',
  }),
}).openapi('DeliveryNow', { example: { ...DELIVERY_DETAIL, recipients: null } });

/** GET /v1/webhooks/{id}/deliveries/{delivery_id} */
export function getDeliveryRoute(partner: Profile): void {
  registerRoute(
    partner,
    WEBHOOK_ROUTE,
    createRoute({
      method: 'get',
      path: '/v1/webhooks/{id}/deliveries/{delivery_id}',
      tags: ['webhooks'],
      summary: 'A delivery with its body and every try',
      request: { params: DeliveryParams },
      responses: { 200: jsonOf('The delivery.', DeliveryNow) },
    }),
    async (c) => {
      const { id, delivery_id: deliveryId } = c.req.valid('param');
      const found = await readDelivery(c.env, partnerOf(c), id, deliveryId);
      if (!found.ok) return failure(c, found.error);
      const recipients = await readRecipients(c.env, found.value, Date.now());
      return c.json({ ...deliveryDetailOnWire(found.value), recipients: recipients && [...recipients] }, 200);
    },
  );
}
