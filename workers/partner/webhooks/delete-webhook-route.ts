import { createRoute } from '@hono/zod-openapi';
import { deleteOwnEndpoint } from '../../../application/partner/webhooks/manage-endpoints.ts';
import { partnerOf } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { WEBHOOK_ROUTE } from '../partner-route.ts';
import { WebhookParams } from './webhook-schema.ts';

/** DELETE /v1/webhooks/{id} */
export function deleteWebhookRoute(partner: Profile): void {
  registerRoute(
    partner,
    WEBHOOK_ROUTE,
    createRoute({
      method: 'delete',
      path: '/v1/webhooks/{id}',
      tags: ['webhooks'],
      summary: 'Delete a webhook, with what waits there and its log',
      request: { params: WebhookParams },
      responses: { 204: { description: 'Deleted.' } },
    }),
    async (c) => {
      const deleted = await deleteOwnEndpoint(c.env, partnerOf(c), c.req.valid('param').id);
      return deleted.ok ? c.body(null, 204) : failure(c, deleted.error);
    },
  );
}
