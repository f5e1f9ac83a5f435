import { createRoute, z } from '@hono/zod-openapi';
import { listOwnEndpoints } from '../../../application/partner/webhooks/manage-endpoints.ts';
import { partnerOf } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { jsonOf } from '../../responses/wire.ts';
import { WEBHOOK_ROUTE } from '../partner-route.ts';
import { WebhookView, webhookOnWire } from './webhook-schema.ts';

/** GET /v1/webhooks: whole, since an organization has few. */
export function listWebhooksRoute(partner: Profile): void {
  registerRoute(
    partner,
    WEBHOOK_ROUTE,
    createRoute({
      method: 'get',
      path: '/v1/webhooks',
      tags: ['webhooks'],
      summary: 'Your webhooks',
      responses: { 200: jsonOf('Oldest first.', z.object({ webhooks: z.array(WebhookView) })) },
    }),
    async (c) => {
      const endpoints = await listOwnEndpoints(c.env, partnerOf(c));
      return c.json({ webhooks: endpoints.map(webhookOnWire) }, 200);
    },
  );
}
