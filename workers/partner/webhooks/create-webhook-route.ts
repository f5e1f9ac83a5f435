import { createRoute, z } from '@hono/zod-openapi';
import { registerEndpoint } from '../../../application/partner/webhooks/manage-endpoints.ts';
import { bearerOf, partnerOf } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { bodyOf, jsonOf } from '../../responses/wire.ts';
import { CREATED_WEBHOOK } from '../examples.ts';
import { WEBHOOK_ROUTE } from '../partner-route.ts';
import {
  Description,
  EndpointUrl,
  Events,
  OrderingField,
  OwnHeaders,
  Secret,
  SecurityIds,
  WebhookView,
  webhookOnWire,
} from './webhook-schema.ts';

const Body = z
  .strictObject({
    url: EndpointUrl,
    events: Events,
    description: Description.default(null),
    ordering: OrderingField.default('none'),
    security_ids: SecurityIds.default(null),
    headers: OwnHeaders.default({}),
  })
  .openapi('WebhookBody');

const CreatedWebhook = WebhookView.extend({ secret: Secret }).openapi('CreatedWebhook', { example: CREATED_WEBHOOK });

/** POST /v1/webhooks (P-WHI-01). No Idempotency-Key: keeping the answer would keep the secret. */
export function createWebhookRoute(partner: Profile): void {
  registerRoute(
    partner,
    { ...WEBHOOK_ROUTE, freshFactor: true, errors: ['CONFLICT', 'SERVICE_UNAVAILABLE'] },
    createRoute({
      method: 'post',
      path: '/v1/webhooks',
      tags: ['webhooks'],
      summary: 'Register a webhook; its secret is shown once',
      request: { body: bodyOf(Body) },
      responses: { 201: jsonOf('Registered.', CreatedWebhook) },
    }),
    async (c) => {
      const { security_ids: securityIds, ...stated } = c.req.valid('json');
      const terms = { ...stated, securityIds };
      const created = await registerEndpoint(c.env, partnerOf(c), terms, Date.now(), bearerOf(c));
      if (!created.ok) return failure(c, created.error);
      const { endpoint, secret } = created.value;
      return c.json({ ...webhookOnWire(endpoint), secret }, 201);
    },
  );
}
