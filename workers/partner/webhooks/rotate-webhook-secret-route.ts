import { createRoute, z } from '@hono/zod-openapi';
import { rotateSecret } from '../../../application/partner/webhooks/manage-endpoints.ts';
import { bearerOf, partnerOf } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { isoTime, jsonOf } from '../../responses/wire.ts';
import { WEBHOOK_ROUTE } from '../partner-route.ts';
import { Secret, WebhookParams } from './webhook-schema.ts';

const Rotated = z
  .object({
    webhook_id: z.uuid(),
    secret: Secret,
    former_secret_ends_at: z.iso.datetime().openapi({ description: 'Until then the former signs, too.' }),
  })
  .openapi('RotatedSecret');

/** POST /v1/webhooks/{id}/rotate-secret. No Idempotency-Key: keeping the answer would keep the secret. */
export function rotateWebhookSecretRoute(partner: Profile): void {
  registerRoute(
    partner,
    { ...WEBHOOK_ROUTE, freshFactor: true, errors: ['CONFLICT'] },
    createRoute({
      method: 'post',
      path: '/v1/webhooks/{id}/rotate-secret',
      tags: ['webhooks'],
      summary: 'Give a webhook another secret; each former one signs beside it for 24 hours',
      request: { params: WebhookParams },
      responses: { 200: jsonOf('Rotated.', Rotated) },
    }),
    async (c) => {
      const { id } = c.req.valid('param');
      const rotated = await rotateSecret(c.env, partnerOf(c), id, Date.now(), bearerOf(c));
      if (!rotated.ok) return failure(c, rotated.error);
      const { secret, formerSecretEndsAt } = rotated.value;
      return c.json({ webhook_id: id, secret, former_secret_ends_at: isoTime(formerSecretEndsAt) }, 200);
    },
  );
}
