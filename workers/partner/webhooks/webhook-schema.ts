import { z } from '@hono/zod-openapi';
import type { Endpoint } from '../../../data/webhooks/endpoints.ts';
import { ORDERINGS } from '../../../domain/webhooks/ordering.ts';
import { PARTNER_EVENTS } from '../../../domain/webhooks/webhook-event.ts';
import {
  DeliveryDetailFields,
  DeliveryFields,
  WEBHOOK_STATE_FIELDS,
  webhookStateOnWire,
} from '../../responses/webhook-fields.ts';
import { DELIVERY_DETAIL, WEBHOOK_DELIVERY, WEBHOOK_VIEW } from '../examples.ts';

export {
  DeliveryParams,
  Description,
  deliveryDetailOnWire,
  deliveryOnWire,
  EndpointUrl,
  OwnHeaders,
  Secret,
  WebhookParams,
} from '../../responses/webhook-fields.ts';

export const Events = z
  .array(z.enum(PARTNER_EVENTS, { error: 'is no event; those of your role stand in docs/webhooks.md' }))
  .min(1)
  .max(PARTNER_EVENTS.length)
  .transform((events) => PARTNER_EVENTS.filter((event) => events.includes(event)))
  .openapi({ description: 'Those that organizations of the caller’s role receive.', example: ['trade.executed'] });

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

export const WebhookView = z
  .object({
    webhook_id: z.uuid(),
    url: z.string(),
    events: z.array(z.enum(PARTNER_EVENTS)),
    description: z.string().nullable(),
    ordering: OrderingField,
    security_ids: z.array(z.uuid()).nullable(),
    header_names: z.array(z.string()).openapi({ description: 'Of the headers that you have stated.' }),
    ...WEBHOOK_STATE_FIELDS,
  })
  .openapi('Webhook', { example: WEBHOOK_VIEW });

export function webhookOnWire(endpoint: Endpoint): z.infer<typeof WebhookView> {
  return {
    webhook_id: endpoint.id,
    url: endpoint.url,
    events: PARTNER_EVENTS.filter((event) => endpoint.events.includes(event)),
    description: endpoint.description,
    ordering: endpoint.ordering,
    security_ids: endpoint.securityIds === null ? null : [...endpoint.securityIds],
    header_names: [...endpoint.headerNames],
    ...webhookStateOnWire(endpoint),
  };
}

export const DeliveryView = DeliveryFields.openapi('Delivery', { example: WEBHOOK_DELIVERY });
export const DeliveryDetail = DeliveryDetailFields.openapi('DeliveryDetail', { example: DELIVERY_DETAIL });
