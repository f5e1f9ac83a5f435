import { createRoute, z } from '@hono/zod-openapi';
import { changeOwnEndpoint } from '../../../application/partner/webhooks/manage-endpoints.ts';
import { bearerOf, partnerOf } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { bodyOf, jsonOf } from '../../responses/wire.ts';
import { WEBHOOK_CHANGE } from '../examples.ts';
import { WEBHOOK_ROUTE } from '../partner-route.ts';
import {
  Description,
  EndpointUrl,
  Events,
  OwnHeaders,
  SecurityIds,
  WebhookParams,
  WebhookView,
  webhookOnWire,
} from './webhook-schema.ts';

const Body = z
  .strictObject({
    url: EndpointUrl.optional(),
    events: Events.optional(),
    description: Description.optional(),
    security_ids: SecurityIds.optional(),
    headers: OwnHeaders.optional(),
    enabled: z.boolean().optional().openapi({
      description: 'What waits at a webhook that is disabled is given up; it can be replayed once it is enabled again.',
    }),
  })
  .refine((change) => Object.keys(change).length > 0, 'state what is to change')
  .openapi('WebhookChange', { example: WEBHOOK_CHANGE });

/** PATCH /v1/webhooks/{id} */
export function changeWebhookRoute(partner: Profile): void {
  registerRoute(
    partner,
    { ...WEBHOOK_ROUTE, freshFactor: true, idempotent: true, errors: ['SERVICE_UNAVAILABLE'] },
    createRoute({
      method: 'patch',
      path: '/v1/webhooks/{id}',
      tags: ['webhooks'],
      summary: 'Change, disable or enable a webhook; what waits is tried at once',
      request: { params: WebhookParams, body: bodyOf(Body) },
      responses: { 200: jsonOf('Changed.', WebhookView) },
    }),
    async (c) => {
      const { url, events, description, security_ids: securityIds, headers, enabled } = c.req.valid('json');
      const change = {
        ...(url === undefined ? {} : { url }),
        ...(events === undefined ? {} : { events }),
        ...(description === undefined ? {} : { description }),
        ...(securityIds === undefined ? {} : { securityIds }),
        ...(headers === undefined ? {} : { headers }),
        isEnabled: enabled,
      };
      const changed = await changeOwnEndpoint(
        c.env,
        partnerOf(c),
        c.req.valid('param').id,
        change,
        Date.now(),
        bearerOf(c),
      );
      return changed.ok ? c.json(webhookOnWire(changed.value), 200) : failure(c, changed.error);
    },
  );
}
