import { createRoute, z } from '@hono/zod-openapi';
import { receivePrimeEvent, verifyWebhook, type WebhookFailure } from '../../application/prime/receive-prime-event.ts';
import { ok } from '../../domain/result.ts';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';
import type { AppContext } from '../middleware/app-env.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { takeSigned } from '../middleware/webhook-sender.ts';
import { failure } from '../responses/failure.ts';
import { WEBHOOK_HEADERS, webhookOf } from './webhook-request.ts';

const TEXT = { type: 'string' as const };
/** Digits and a point: amounts are texts, so that none is rounded on its way. */
const AMOUNT = { ...TEXT, pattern: '^\\d{1,24}(\\.\\d{1,24})?$', example: '0.125' };
const TIME = { ...TEXT, format: 'date-time', description: 'In UTC.' };

const OF_ORDER = {
  id: { ...TEXT, description: 'Of the event: the same whenever it comes, and that of the header `webhook-id`.' },
  clientOrderId: { ...TEXT, description: 'The id that the order was submitted under.' },
  symbol: { ...TEXT, description: 'Of the asset.', example: 'BTC' },
};

/** As `primeEventOf` reads it (domain/prime/prime-event.ts), after the signature over the bytes is known to be right. */
const EVENT = {
  oneOf: [
    {
      title: 'An execution',
      type: 'object' as const,
      required: [
        'type',
        ...Object.keys(OF_ORDER),
        'executionId',
        'side',
        'quantity',
        'price',
        'executedAt',
        'orderComplete',
      ],
      properties: {
        type: { ...TEXT, enum: ['TRANSFER'] },
        ...OF_ORDER,
        executionId: TEXT,
        side: { ...TEXT, enum: ['BUY', 'SELL'] },
        quantity: AMOUNT,
        price: AMOUNT,
        executedAt: TIME,
        orderComplete: {
          type: 'boolean' as const,
          description: 'Whether the sender says that nothing of the order is left. What is left goes by quantities.',
        },
      },
    },
    {
      title: 'The end of an order that is not filled whole',
      type: 'object' as const,
      required: ['type', ...Object.keys(OF_ORDER), 'reason', 'filledQuantity', 'endedAt'],
      properties: {
        type: { ...TEXT, enum: ['ORDER_DONE'] },
        ...OF_ORDER,
        reason: { ...TEXT, enum: ['cancelled', 'rejected', 'expired'] },
        filledQuantity: AMOUNT,
        endedAt: TIME,
        detail: { type: ['string' as const, 'null' as const] },
      },
    },
  ],
};

const Received = z.object({ received: z.literal(true) });

/** POST /v1/webhooks/prime: what became of an order at the crypto prime broker (X-SVC-03, X-STL-01, X-EVT-05). */
export function primeWebhookRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    {
      access: { credential: 'webhook' },
      bucket: 'public',
      takesBody: true,
      passesOverQuery: 'the broker was given the address, and may add to it',
      errors: ['CONFLICT'],
    },
    createRoute({
      method: 'post',
      path: '/v1/webhooks/prime',
      tags: ['webhooks'],
      summary: 'An event of the crypto prime broker',
      description:
        'Signed after the Standard Webhooks pattern. 200 once the event is durable; one that came before answers 200 and does nothing more. Anything else: send it again, with a new timestamp.',
      parameters: WEBHOOK_HEADERS,
      // Not as `request.body`: what is not signed is not validated.
      requestBody: { required: true, content: { 'application/json': { schema: EVENT } } },
      responses: { 200: { description: 'It is here.', content: { 'application/json': { schema: Received } } } },
    }),
    async (c) => {
      const signed = await takeSigned(c, () => verified(c), apiErrorOf);
      if (!signed.ok) return failure(c, signed.error);
      const received = await receivePrimeEvent(c.env, signed.value);
      return received.ok ? c.json({ received: true as const }, 200) : failure(c, apiErrorOf(received.error));
    },
  );
}

async function verified(c: AppContext) {
  const webhook = await webhookOf(c);
  const outcome = await verifyWebhook(c.env, webhook);
  if (outcome.ok) return ok(webhook);
  c.set('refusal', outcome.error.reason);
  c.header('www-authenticate', 'Webhook-Signature');
  return outcome;
}

function apiErrorOf(error: WebhookFailure): ApiError {
  switch (error.reason) {
    case 'not_signed':
      return apiError('UNAUTHORIZED', 'the webhook is not signed as agreed', { reason: error.detail });
    case 'malformed':
      return apiError('VALIDATION_ERROR', 'the event cannot be read', { field: error.field });
    case 'other_body':
      return apiError('CONFLICT', 'the event came before with another body', { id: error.id });
    case 'unavailable':
      return apiError('SERVICE_UNAVAILABLE', 'the event cannot be taken now; please send it again');
  }
}
