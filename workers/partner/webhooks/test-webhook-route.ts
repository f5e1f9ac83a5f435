import { createRoute, z } from '@hono/zod-openapi';
import { sendTest } from '../../../application/partner/webhooks/deliveries.ts';
import { PARTNER_EVENTS } from '../../../domain/webhooks/webhook-event.ts';
import { partnerOf } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { jsonOf } from '../../responses/wire.ts';
import { WEBHOOK_ROUTE } from '../partner-route.ts';
import { DeliveryDetail, deliveryDetailOnWire, WebhookParams } from './webhook-schema.ts';

const Body = z
  .strictObject({
    event: z.enum(PARTNER_EVENTS).optional().openapi({
      description:
        'A sample of this event, of a trade, a security or a transfer that does not exist; `webhook.test` without it.',
    }),
  })
  .openapi('WebhookTestBody', { example: { event: 'settlement.finalized' } });

/** POST /v1/webhooks/{id}/test */
export function testWebhookRoute(partner: Profile): void {
  registerRoute(
    partner,
    { ...WEBHOOK_ROUTE, errors: ['CONFLICT'] },
    createRoute({
      method: 'post',
      path: '/v1/webhooks/{id}/test',
      tags: ['webhooks'],
      summary: 'Send a test at once, past what waits; disabled webhooks, too',
      description:
        'Tried once. The answer says what came of it. A test has the header `webhook-test: true`, and all ids in a sample begin with `00000000-0000-4000-8000-`.',
      request: { params: WebhookParams, body: { required: false, content: { 'application/json': { schema: Body } } } },
      responses: { 200: jsonOf('What came of it.', DeliveryDetail) },
    }),
    async (c) => {
      const { event = null } = c.req.valid('json');
      const tested = await sendTest(c.env, partnerOf(c), c.req.valid('param').id, event, Date.now());
      return tested.ok ? c.json(deliveryDetailOnWire(tested.value), 200) : failure(c, tested.error);
    },
  );
}
