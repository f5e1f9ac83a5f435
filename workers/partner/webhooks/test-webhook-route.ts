import { createRoute } from '@hono/zod-openapi';
import { sendTest } from '../../../application/partner/webhooks/deliveries.ts';
import { partnerOf } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { jsonOf } from '../../responses/wire.ts';
import { PARTNER_READ } from '../partner-route.ts';
import { DeliveryDetail, deliveryDetailOnWire, WebhookParams } from './webhook-schema.ts';

/** POST /v1/webhooks/{id}/test */
export function testWebhookRoute(partner: Profile): void {
  registerRoute(
    partner,
    { ...PARTNER_READ, errors: ['CONFLICT'] },
    createRoute({
      method: 'post',
      path: '/v1/webhooks/{id}/test',
      tags: ['webhooks'],
      summary: 'Send a test at once, past what waits; disabled webhooks, too',
      description: 'Tried once. The answer says what came of it.',
      request: { params: WebhookParams },
      responses: { 200: jsonOf('What came of it.', DeliveryDetail) },
    }),
    async (c) => {
      const tested = await sendTest(c.env, partnerOf(c), c.req.valid('param').id, Date.now());
      return tested.ok ? c.json(deliveryDetailOnWire(tested.value), 200) : failure(c, tested.error);
    },
  );
}
