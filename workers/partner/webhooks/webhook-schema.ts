import { z } from '@hono/zod-openapi';
import type { Endpoint } from '../../../data/webhooks/endpoints.ts';
import { ATTEMPT_ERRORS, DISABLED_REASONS } from '../../../domain/webhooks/attempt.ts';
import { DELIVERY_STATES } from '../../../domain/webhooks/delivery-state.ts';
import { ORDERINGS } from '../../../domain/webhooks/ordering.ts';
import {
  type HeaderFault,
  OWN_HEADER_LENGTH_MAX,
  OWN_HEADERS_MAX,
  ownHeaderFault,
} from '../../../domain/webhooks/own-headers.ts';
import { WEBHOOK_EVENTS } from '../../../domain/webhooks/webhook-event.ts';
import type { Delivery, DeliveryWithAttempts } from '../../../durable-objects/webhook-endpoint/api.ts';
import { isoTime, isoTimeOrNull } from '../../responses/wire.ts';
import { DELIVERY_DETAIL, WEBHOOK_DELIVERY, WEBHOOK_VIEW } from '../examples.ts';

const URL_LENGTH_MAX = 2_048;
const DESCRIPTION_LENGTH_MAX = 200;

export const EndpointUrl = z.string().min(1).max(URL_LENGTH_MAX).openapi({
  description: 'Of https, at a public name, on port 443 or 8443.',
  example: 'https://hooks.northwind-ats.com/exchange',
});

export const Events = z
  .array(z.enum(WEBHOOK_EVENTS))
  .min(1)
  .max(WEBHOOK_EVENTS.length)
  .transform((events) => WEBHOOK_EVENTS.filter((event) => events.includes(event)))
  .openapi({ description: 'Those that organizations of the caller’s role receive.', example: ['trade.executed'] });

export const Description = z.string().trim().max(DESCRIPTION_LENGTH_MAX).nullable();

const SECURITIES_MAX = 100;

export const SecurityIds = z
  .array(z.uuid())
  .min(1)
  .max(SECURITIES_MAX)
  .transform((ids) => [...new Set(ids.map((id) => id.toLowerCase()))])
  .nullable()
  .openapi({
    description:
      'Events of these securities alone; null for all that you are told of. Refused of a tenant of the bridge: its events are of no security.',
    example: null,
  });

export const OrderingField = z.enum(ORDERINGS).openapi({
  description:
    '`none`: each message as soon as it can be sent; `security`: those of one security, or of one transfer of the bridge, one after the other; `endpoint`: all of them one after the other. It does not change.',
});

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

export const WebhookView = z
  .object({
    webhook_id: z.uuid(),
    url: z.string(),
    events: z.array(z.enum(WEBHOOK_EVENTS)),
    description: z.string().nullable(),
    ordering: OrderingField,
    security_ids: z.array(z.uuid()).nullable(),
    header_names: z.array(z.string()).openapi({ description: 'Of the headers that you have stated.' }),
    status: z.enum(['enabled', 'disabled']),
    disabled_reason: z.enum(DISABLED_REASONS).nullable().openapi({
      description:
        '`owner`: by PATCH; `failing`: it failed for three days; `gone`: it answered 410; `overflow`: too much waited.',
    }),
    disabled_at: z.iso.datetime().nullable(),
    created_at: z.iso.datetime(),
  })
  .openapi('Webhook', { example: WEBHOOK_VIEW });

/** The secret is shown when it is made, and never again. */
export const Secret = z.string().openapi({
  description: 'Signs what is sent, by the Standard Webhooks pattern. Shown this once.',
  example: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
});

export function webhookOnWire(endpoint: Endpoint): z.infer<typeof WebhookView> {
  return {
    webhook_id: endpoint.id,
    url: endpoint.url,
    events: [...endpoint.events],
    description: endpoint.description,
    ordering: endpoint.ordering,
    security_ids: endpoint.securityIds === null ? null : [...endpoint.securityIds],
    header_names: [...endpoint.headerNames],
    status: endpoint.disabledReason === null ? 'enabled' : 'disabled',
    disabled_reason: endpoint.disabledReason,
    disabled_at: isoTimeOrNull(endpoint.disabledAt),
    created_at: isoTime(endpoint.createdAt),
  };
}

export const DeliveryView = z
  .object({
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
  })
  .openapi('Delivery', { example: WEBHOOK_DELIVERY });

export const DeliveryDetail = DeliveryView.extend({
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
}).openapi('DeliveryDetail', { example: DELIVERY_DETAIL });

export function deliveryOnWire(delivery: Delivery): z.infer<typeof DeliveryView> {
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

export function deliveryDetailOnWire(delivery: DeliveryWithAttempts): z.infer<typeof DeliveryDetail> {
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
