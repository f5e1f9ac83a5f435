import { createRoute, z } from '@hono/zod-openapi';
import type { CallbackFailure } from '../../application/accreditation/receive-finding.ts';
import {
  receiveIdentityFinding,
  verifyIdentityCallback,
} from '../../application/onboarding/receive-identity-finding.ts';
import { PARTIES_MAX } from '../../domain/onboarding/entity-facts.ts';
import { SCREENING_RESULTS } from '../../domain/onboarding/identity-verification.ts';
import { ok } from '../../domain/result.ts';
import type { AppContext } from '../middleware/app-env.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { takeSigned } from '../middleware/webhook-sender.ts';
import { failure } from '../responses/failure.ts';
import { callbackError } from './verification-webhook-route.ts';
import { WEBHOOK_HEADERS, webhookOf } from './webhook-request.ts';

const TEXT = { type: 'string' as const };
const TIME = { ...TEXT, format: 'date-time' };
const RESULT = { ...TEXT, enum: [...SCREENING_RESULTS] };

const FINDING = {
  status: { ...TEXT, enum: ['pending', 'verified', 'refused', 'review'] },
  reason: { ...TEXT, description: 'Of a refusal, and of what a person has to look at.' },
  sanctions: RESULT,
  adverseMedia: RESULT,
  checkedAt: { ...TIME, description: 'Of all but `pending`.' },
  expiresAt: { ...TIME, description: 'Of `verified`.' },
};

/** As `readIdentityFinding` reads it (domain/onboarding/identity-verification.ts), after the signature over the bytes is known to be right. */
const EVENT = {
  type: 'object' as const,
  required: ['type', 'id', 'externalId', 'identity'],
  properties: {
    type: { ...TEXT, enum: ['identity.decided'] },
    id: { ...TEXT, description: 'Of the event: the same whenever it comes, and that of the header `webhook-id`.' },
    externalId: { ...TEXT, description: 'The id that the identity was asked about under.' },
    identity: {
      type: 'object' as const,
      required: ['id', 'status'],
      properties: {
        id: { ...TEXT, description: "The provider's own id." },
        ...FINDING,
        parties: {
          type: 'array' as const,
          maxItems: PARTIES_MAX,
          description: 'Of an entity: what was found of each person behind it.',
          items: {
            type: 'object' as const,
            required: ['id', 'status'],
            properties: { id: { ...TEXT, description: 'Of the party, as it was handed in.' }, ...FINDING },
          },
        },
      },
    },
  },
};

const Received = z.object({ received: z.literal(true) });

/** POST /v1/webhooks/identity: what a provider has found of who somebody is. */
export function identityWebhookRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    {
      access: { credential: 'webhook' },
      bucket: 'public',
      takesBody: true,
      passesOverQuery: 'the provider was given the address, and may add to it',
      errors: ['CONFLICT', 'NOT_FOUND'],
    },
    createRoute({
      method: 'post',
      path: '/v1/webhooks/identity',
      tags: ['webhooks'],
      summary: 'What an identity provider has found',
      description:
        'Signed after the Standard Webhooks pattern. 200 once the identity stands as told; an event that came before answers 200 and does nothing more.',
      parameters: WEBHOOK_HEADERS,
      // Not as `request.body`: what is not signed is not validated.
      requestBody: { required: true, content: { 'application/json': { schema: EVENT } } },
      responses: { 200: { description: 'It is here.', content: { 'application/json': { schema: Received } } } },
    }),
    async (c) => {
      const signed = await takeSigned(c, () => verified(c), callbackError);
      if (!signed.ok) return failure(c, signed.error);
      const received = await receiveIdentityFinding(c.env, signed.value);
      return received.ok ? c.json({ received: true as const }, 200) : failure(c, callbackError(received.error));
    },
  );
}

async function verified(c: AppContext) {
  const callback = await webhookOf(c);
  const outcome = await verifyIdentityCallback(c.env, callback);
  if (outcome.ok) return ok(callback);
  c.set('refusal', outcome.error.reason satisfies CallbackFailure['reason']);
  c.header('www-authenticate', 'Webhook-Signature');
  return outcome;
}
