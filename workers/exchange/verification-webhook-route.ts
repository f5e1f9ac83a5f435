import { createRoute, z } from '@hono/zod-openapi';
import {
  type CallbackFailure,
  receiveFinding,
  verifyCallback,
} from '../../application/accreditation/receive-finding.ts';
import { ok } from '../../domain/result.ts';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';
import type { AppContext } from '../middleware/app-env.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { takeSigned } from '../middleware/webhook-sender.ts';
import { failure } from '../responses/failure.ts';
import { WEBHOOK_HEADERS, webhookOf } from './webhook-request.ts';

const TEXT = { type: 'string' as const };
const TIME = { ...TEXT, format: 'date-time' };

/** As `readFinding` reads it (domain/accreditation/read-finding.ts), after the signature over the bytes is known to be right. */
const EVENT = {
  type: 'object' as const,
  required: ['type', 'id', 'externalId', 'verification'],
  properties: {
    type: { ...TEXT, enum: ['verification.decided'] },
    id: { ...TEXT, description: 'Of the event: the same whenever it comes, and that of the header `webhook-id`.' },
    externalId: { ...TEXT, description: 'The id that the verification was asked for under.' },
    verification: {
      type: 'object' as const,
      required: ['id', 'status'],
      properties: {
        id: { ...TEXT, description: "The provider's own id." },
        status: { ...TEXT, enum: ['pending', 'verified', 'refused'] },
        reason: { ...TEXT, description: 'Of a refusal.' },
        verifier: { ...TEXT, description: 'Who has verified.' },
        evidence: { ...TEXT, description: 'Where the evidence is kept.' },
        verifiedAt: TIME,
        expiresAt: { ...TIME, description: 'Left out: as long as the evidence speaks.' },
      },
    },
  },
};

const Received = z.object({ received: z.literal(true) });

/** POST /v1/webhooks/accreditation: what a provider has found of a person. */
export function verificationWebhookRoute(exchange: Profile): void {
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
      path: '/v1/webhooks/accreditation',
      tags: ['webhooks'],
      summary: 'What a verification provider has found',
      description:
        'Signed after the Standard Webhooks pattern. 200 once the request stands as told; an event that came before answers 200 and does nothing more.',
      parameters: WEBHOOK_HEADERS,
      // Not as `request.body`: what is not signed is not validated.
      requestBody: { required: true, content: { 'application/json': { schema: EVENT } } },
      responses: { 200: { description: 'It is here.', content: { 'application/json': { schema: Received } } } },
    }),
    async (c) => {
      const signed = await takeSigned(c, () => verified(c), callbackError);
      if (!signed.ok) return failure(c, signed.error);
      const received = await receiveFinding(c.env, signed.value);
      return received.ok ? c.json({ received: true as const }, 200) : failure(c, callbackError(received.error));
    },
  );
}

async function verified(c: AppContext) {
  const callback = await webhookOf(c);
  const outcome = await verifyCallback(c.env, callback);
  if (outcome.ok) return ok(callback);
  c.set('refusal', outcome.error.reason);
  c.header('www-authenticate', 'Webhook-Signature');
  return outcome;
}

/** How a callback of a verification provider is refused. */
export function callbackError(error: CallbackFailure): ApiError {
  switch (error.reason) {
    case 'not_signed':
      return apiError('UNAUTHORIZED', 'the webhook is not signed as agreed', { reason: error.detail });
    case 'malformed':
      return apiError('VALIDATION_ERROR', 'the event cannot be read');
    case 'unknown_verification':
      return apiError('NOT_FOUND', 'no such verification was asked for');
    case 'other_body':
      return apiError('CONFLICT', 'the event came before with another body', { id: error.id });
    case 'unavailable':
      return apiError('SERVICE_UNAVAILABLE', 'the event cannot be taken now; please send it again');
  }
}
