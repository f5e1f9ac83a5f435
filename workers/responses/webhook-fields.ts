import { z } from '@hono/zod-openapi';
import type { Endpoint } from '../../data/webhooks/endpoints.ts';
import { ATTEMPT_ERRORS, DISABLED_REASONS } from '../../domain/webhooks/attempt.ts';
import { DELIVERY_STATES } from '../../domain/webhooks/delivery-state.ts';
import {
  type HeaderFault,
  OWN_HEADER_LENGTH_MAX,
  OWN_HEADERS_MAX,
  ownHeaderFault,
} from '../../domain/webhooks/own-headers.ts';
import type { Delivery, DeliveryWithAttempts } from '../../durable-objects/webhook-endpoint/api.ts';
import { freeText } from './free-text.ts';
import { isoTime, isoTimeOrNull } from './wire.ts';

// Webhooks of partners and of tenants of the events service differ in what they are told of, and in nothing else.

const URL_LENGTH_MAX = 2_048;
const DESCRIPTION_LENGTH_MAX = 200;

export const EndpointUrl = z.string().min(1).max(URL_LENGTH_MAX).openapi({
  description: 'Of https, at a public name, on port 443 or 8443.',
  example: 'https://hooks.northwind-ats.com/exchange',
});

export const Description = freeText(DESCRIPTION_LENGTH_MAX).nullable();

export const OwnHeaders = z
  .record(z.string().toLowerCase(), z.string())
  .superRefine((headers, c) => {
    const names = Object.keys(headers);
    if (names.length > OWN_HEADERS_MAX) c.addIssue({ code: 'custom', message: `${OWN_HEADERS_MAX} headers at most` });
    for (const name of names) {
      const fault = ownHeaderFault(name, headers[name] ?? '');
      if (fault !== null) c.addIssue({ code: 'custom', message: HEADER_FAULTS[fault], path: [name] });
    }
  })
  .openapi({
    description: `Up to ${OWN_HEADERS_MAX} headers that each message has beside ours, such as a credential of your gateway. They are shown by their names alone.`,
    example: { authorization: 'Bearer 3f1c9b' },
  });

const HEADER_FAULTS: Readonly<Record<HeaderFault, string>> = {
  not_a_name: 'is no name of a header',
  reserved: 'is a header that the exchange or the network sets',
  not_a_value: `must have 1 to ${OWN_HEADER_LENGTH_MAX} visible characters of ASCII, with blanks between them`,
};

export const WebhookParams = z.object({ id: z.uuid() });
export const DeliveryParams = z.object({ id: z.uuid(), delivery_id: z.uuid() });

/** The secret is shown when it is made, and never again. */
export const Secret = z.string().openapi({
  description: 'Signs what is sent, by the Standard Webhooks pattern. Shown this once.',
  example: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
});

export const DeliveryFields = z.object({
  delivery_id: z.uuid(),
  sequence: z.number().int().openapi({ description: 'Place among the messages of the webhook: rising, with gaps.' }),
  event_id: z.string(),
  event_type: z.string(),
  replay_of: z.uuid().nullable(),
  status: z.enum(DELIVERY_STATES),
  reason: z.enum([...DISABLED_REASONS, 'test_failed']).nullable(),
  tries: z.number().int(),
  created_at: z.iso.datetime(),
  first_tried_at: z.iso.datetime().nullable(),
  next_try_at: z.iso.datetime().nullable(),
  ended_at: z.iso.datetime().nullable(),
});

export const DeliveryDetailFields = DeliveryFields.extend({
  payload: z.string().openapi({ description: 'The body, byte for byte.' }),
  attempts: z.array(
    z.object({
      at: z.iso.datetime(),
      duration_ms: z.number(),
      status: z.number().int().nullable().openapi({ description: 'HTTP status; null where there was no answer.' }),
      error: z.enum(ATTEMPT_ERRORS).nullable(),
      response: z.string().nullable().openapi({
        description:
          'The beginning of the answer’s body where the answer has the message’s `webhook-id` as a header of its own, else its media type.',
      }),
    }),
  ),
});

export function deliveryOnWire(delivery: Delivery): z.infer<typeof DeliveryFields> {
  return {
    delivery_id: delivery.id,
    sequence: delivery.sequence,
    event_id: delivery.eventId,
    event_type: delivery.type,
    replay_of: delivery.replayOf,
    status: delivery.state,
    reason: delivery.reason,
    tries: delivery.tries,
    created_at: isoTime(delivery.createdAt),
    first_tried_at: isoTimeOrNull(delivery.firstTriedAt),
    next_try_at: isoTimeOrNull(delivery.nextTryAt),
    ended_at: isoTimeOrNull(delivery.endedAt),
  };
}

export function deliveryDetailOnWire(delivery: DeliveryWithAttempts): z.infer<typeof DeliveryDetailFields> {
  return {
    ...deliveryOnWire(delivery),
    payload: delivery.payload,
    attempts: delivery.attempts.map(({ at, durationMs, status, error, response }) => ({
      at: isoTime(at),
      duration_ms: durationMs,
      status,
      error,
      response,
    })),
  };
}

/** How a webhook stands, in its view. */
export const WEBHOOK_STATE_FIELDS = {
  status: z.enum(['enabled', 'disabled']),
  disabled_reason: z.enum(DISABLED_REASONS).nullable().openapi({
    description:
      '`owner`: by PATCH; `failing`: it failed for three days; `gone`: it answered 410; `overflow`: too much waited.',
  }),
  disabled_at: z.iso.datetime().nullable(),
  created_at: z.iso.datetime(),
};

export function webhookStateOnWire(endpoint: Endpoint) {
  return {
    status: endpoint.disabledReason === null ? ('enabled' as const) : ('disabled' as const),
    disabled_reason: endpoint.disabledReason,
    disabled_at: isoTimeOrNull(endpoint.disabledAt),
    created_at: isoTime(endpoint.createdAt),
  };
}
