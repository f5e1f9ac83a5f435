import { z } from '@hono/zod-openapi';
import type { Endpoint } from '../../../data/webhooks/endpoints.ts';
import type { Ordering } from '../../../domain/webhooks/ordering.ts';
import { TENANT_EVENTS } from '../../../domain/webhooks/webhook-event.ts';
import { eventsTenantOwner, type WebhookOwner } from '../../../domain/webhooks/webhook-owner.ts';
import type { RouteDeclaration } from '../../middleware/access.ts';
import type { AppContext } from '../../middleware/app-env.ts';
import {
  DeliveryDetailFields,
  DeliveryFields,
  WEBHOOK_STATE_FIELDS,
  webhookStateOnWire,
} from '../../responses/webhook-fields.ts';
import { tenancyOf } from '../tenancy.ts';

/** Whoever says where messages go may see what they say: an event admin. */
export const WEBHOOKS = {
  access: { credential: 'bearer', permission: 'webhooks:write' },
  bucket: 'private',
} as const satisfies RouteDeclaration;

/** Endpoints are a tenant's, and so is its list of events. */
export function ownerOf(c: AppContext): WebhookOwner {
  return eventsTenantOwner(tenancyOf(c).tenant);
}

export const Events = z
  .array(z.enum(TENANT_EVENTS))
  .min(1)
  .max(TENANT_EVENTS.length)
  .transform((events) => TENANT_EVENTS.filter((event) => events.includes(event)))
  .openapi({ example: ['event.review_opened'] });

const EVENT_IDS_MAX = 100;

export const EventIds = z
  .array(z.uuid())
  .min(1)
  .max(EVENT_IDS_MAX)
  .transform((ids) => [...new Set(ids.map((id) => id.toLowerCase()))])
  .nullable()
  .openapi({ description: 'What happens at these events alone; null for all of the tenant.', example: null });

/** An event is to its tenant what a security is to a partner: what messages stand in line with. */
const ORDERING_BY_NAME = { none: 'none', event: 'security', endpoint: 'endpoint' } as const satisfies Readonly<
  Record<string, Ordering>
>;
const NAME_OF_ORDERING = { none: 'none', security: 'event', endpoint: 'endpoint' } as const satisfies Readonly<
  Record<Ordering, keyof typeof ORDERING_BY_NAME>
>;

export const OrderingField = z.enum(['none', 'event', 'endpoint']).openapi({
  description:
    '`none`: each message as soon as it can be sent; `event`: those of one event one after the other; `endpoint`: all of them one after the other. It does not change.',
});

export function orderingOf(name: z.infer<typeof OrderingField>): Ordering {
  return ORDERING_BY_NAME[name];
}

export const WebhookView = z
  .object({
    webhook_id: z.uuid(),
    url: z.string(),
    events: z.array(z.enum(TENANT_EVENTS)),
    description: z.string().nullable(),
    ordering: OrderingField,
    event_ids: z.array(z.uuid()).nullable(),
    header_names: z.array(z.string()).openapi({ description: 'Of the headers that you have stated.' }),
    ...WEBHOOK_STATE_FIELDS,
  })
  .openapi('Webhook');

export function webhookOnWire(endpoint: Endpoint): z.infer<typeof WebhookView> {
  return {
    webhook_id: endpoint.id,
    url: endpoint.url,
    events: TENANT_EVENTS.filter((event) => endpoint.events.includes(event)),
    description: endpoint.description,
    ordering: NAME_OF_ORDERING[endpoint.ordering],
    event_ids: endpoint.securityIds === null ? null : [...endpoint.securityIds],
    header_names: [...endpoint.headerNames],
    ...webhookStateOnWire(endpoint),
  };
}

export const DeliveryView = DeliveryFields.openapi('WebhookDelivery');
export const DeliveryDetail = DeliveryDetailFields.openapi('WebhookDeliveryDetail');
