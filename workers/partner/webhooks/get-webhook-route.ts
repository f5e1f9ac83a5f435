import { createRoute, z } from '@hono/zod-openapi';
import { readBacklog } from '../../../application/partner/webhooks/deliveries.ts';
import { findOwnEndpoint } from '../../../application/partner/webhooks/manage-endpoints.ts';
import { partnerOf } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { isoTimeOrNull, jsonOf } from '../../responses/wire.ts';
import { WEBHOOK_WITH_BACKLOG } from '../examples.ts';
import { WEBHOOK_ROUTE } from '../partner-route.ts';
import { WebhookParams, WebhookView, webhookOnWire } from './webhook-schema.ts';

const WebhookWithBacklog = WebhookView.extend({
  waiting: z.number().int().openapi({ description: 'Messages that wait to be sent.' }),
  waiting_bytes: z.number().int(),
  failing_since: z.iso.datetime().nullable().openapi({
    description: 'When what waits and was not taken was first tried; null while nothing fails.',
  }),
  next_try_at: z.iso.datetime().nullable(),
}).openapi('WebhookWithBacklog', { example: WEBHOOK_WITH_BACKLOG });

/** GET /v1/webhooks/{id} */
export function getWebhookRoute(partner: Profile): void {
  registerRoute(
    partner,
    WEBHOOK_ROUTE,
    createRoute({
      method: 'get',
      path: '/v1/webhooks/{id}',
      tags: ['webhooks'],
      summary: 'A webhook, with what waits there',
      request: { params: WebhookParams },
      responses: { 200: jsonOf('The webhook.', WebhookWithBacklog) },
    }),
    async (c) => {
      const { id } = c.req.valid('param');
      const found = await findOwnEndpoint(c.env, partnerOf(c), id);
      if (!found.ok) return failure(c, found.error);
      const backlog = await readBacklog(c.env, partnerOf(c), id);
      if (!backlog.ok) return failure(c, backlog.error);
      const { waiting, waitingBytes, failingSince, nextTryAt } = backlog.value;
      return c.json(
        {
          ...webhookOnWire(found.value),
          waiting,
          waiting_bytes: waitingBytes,
          failing_since: isoTimeOrNull(failingSince),
          next_try_at: isoTimeOrNull(nextTryAt),
        },
        200,
      );
    },
  );
}
