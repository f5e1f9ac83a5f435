import { createRoute, z } from '@hono/zod-openapi';
import { listDeliveries } from '../../../application/partner/webhooks/deliveries.ts';
import { DELIVERY_STATES } from '../../../domain/webhooks/delivery-state.ts';
import { partnerOf } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { moreOf, moreView } from '../../responses/link-next-page.ts';
import { limitQuery, pageOf, rowsToRead } from '../../responses/paging.ts';
import { wholeNumber } from '../../responses/whole-number.ts';
import { jsonOf } from '../../responses/wire.ts';
import { WEBHOOK_ROUTE } from '../partner-route.ts';
import { DeliveryView, deliveryOnWire, WebhookParams } from './webhook-schema.ts';

/** GET /v1/webhooks/{id}/deliveries */
export function listDeliveriesRoute(partner: Profile): void {
  registerRoute(
    partner,
    WEBHOOK_ROUTE,
    createRoute({
      method: 'get',
      path: '/v1/webhooks/{id}/deliveries',
      tags: ['webhooks'],
      summary: 'What was sent to a webhook in the last 30 days, and what waits',
      request: {
        params: WebhookParams,
        query: z.object({
          status: z.enum(DELIVERY_STATES).optional(),
          event_id: z.string().min(1).max(64).optional(),
          limit: limitQuery,
          cursor: wholeNumber(1).optional(),
        }),
      },
      responses: { 200: jsonOf('Latest first.', z.object({ deliveries: z.array(DeliveryView), ...moreView })) },
    }),
    async (c) => {
      const { status, event_id: eventId, limit, cursor } = c.req.valid('query');
      const query = {
        state: status ?? null,
        eventId: eventId ?? null,
        before: cursor ?? null,
        limit: rowsToRead(limit),
      };
      const found = await listDeliveries(c.env, partnerOf(c), c.req.valid('param').id, query);
      if (!found.ok) return failure(c, found.error);
      const page = pageOf(c, found.value, limit, ({ sequence }) => String(sequence));
      return c.json({ deliveries: page.map(deliveryOnWire), ...moreOf(c) }, 200);
    },
  );
}
