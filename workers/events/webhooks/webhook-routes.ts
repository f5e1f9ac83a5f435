import { createRoute, z } from '@hono/zod-openapi';
import { readBacklog } from '../../../application/partner/webhooks/deliveries.ts';
import {
  changeOwnEndpoint,
  deleteOwnEndpoint,
  findOwnEndpoint,
  listOwnEndpoints,
  registerEndpoint,
  rotateSecret,
} from '../../../application/partner/webhooks/manage-endpoints.ts';
import { bearerOf } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { Description, EndpointUrl, OwnHeaders, Secret, WebhookParams } from '../../responses/webhook-fields.ts';
import { bodyOf, isoTime, isoTimeOrNull, jsonOf } from '../../responses/wire.ts';
import {
  EventIds,
  Events,
  OrderingField,
  orderingOf,
  ownerOf,
  WEBHOOKS,
  WebhookView,
  webhookOnWire,
} from './webhook-schema.ts';

const Body = z
  .strictObject({
    url: EndpointUrl,
    events: Events,
    description: Description.default(null),
    ordering: OrderingField.default('none'),
    event_ids: EventIds.default(null),
    headers: OwnHeaders.default({}),
  })
  .openapi('WebhookBody');

const CreatedWebhook = WebhookView.extend({ secret: Secret }).openapi('CreatedWebhook');

/** POST /v1/webhooks. No Idempotency-Key: keeping the answer would keep the secret. */
export function createWebhookRoute(events: Profile): void {
  registerRoute(
    events,
    { ...WEBHOOKS, freshFactor: true, errors: ['CONFLICT', 'SERVICE_UNAVAILABLE'] },
    createRoute({
      method: 'post',
      path: '/v1/webhooks',
      tags: ['webhooks'],
      summary: 'Register a webhook; its secret is shown once',
      request: { body: bodyOf(Body) },
      responses: { 201: jsonOf('Registered.', CreatedWebhook) },
    }),
    async (c) => {
      const { event_ids: securityIds, ordering, ...stated } = c.req.valid('json');
      const terms = { ...stated, ordering: orderingOf(ordering), securityIds };
      const created = await registerEndpoint(c.env, ownerOf(c), terms, Date.now(), bearerOf(c));
      if (!created.ok) return failure(c, created.error);
      const { endpoint, secret } = created.value;
      return c.json({ ...webhookOnWire(endpoint), secret }, 201);
    },
  );
}

/** GET /v1/webhooks: whole, since a tenant has few. */
export function listWebhooksRoute(events: Profile): void {
  registerRoute(
    events,
    WEBHOOKS,
    createRoute({
      method: 'get',
      path: '/v1/webhooks',
      tags: ['webhooks'],
      summary: 'The webhooks of the tenant',
      responses: { 200: jsonOf('Oldest first.', z.object({ webhooks: z.array(WebhookView) })) },
    }),
    async (c) => c.json({ webhooks: (await listOwnEndpoints(c.env, ownerOf(c))).map(webhookOnWire) }, 200),
  );
}

const WebhookWithBacklog = WebhookView.extend({
  waiting: z.number().int().openapi({ description: 'Messages that wait to be sent.' }),
  waiting_bytes: z.number().int(),
  failing_since: z.iso.datetime().nullable().openapi({
    description: 'When what waits and was not taken was first tried; null while nothing fails.',
  }),
  next_try_at: z.iso.datetime().nullable(),
}).openapi('WebhookWithBacklog');

/** GET /v1/webhooks/{id} */
export function getWebhookRoute(events: Profile): void {
  registerRoute(
    events,
    WEBHOOKS,
    createRoute({
      method: 'get',
      path: '/v1/webhooks/{id}',
      tags: ['webhooks'],
      summary: 'A webhook, with what waits there',
      request: { params: WebhookParams },
      responses: { 200: jsonOf('The webhook.', WebhookWithBacklog) },
    }),
    async (c) => {
      const { id } = c.req.valid('param');
      const found = await findOwnEndpoint(c.env, ownerOf(c), id);
      if (!found.ok) return failure(c, found.error);
      const backlog = await readBacklog(c.env, ownerOf(c), id);
      if (!backlog.ok) return failure(c, backlog.error);
      const { waiting, waitingBytes, failingSince, nextTryAt } = backlog.value;
      return c.json(
        {
          ...webhookOnWire(found.value),
          waiting,
          waiting_bytes: waitingBytes,
          failing_since: isoTimeOrNull(failingSince),
          next_try_at: isoTimeOrNull(nextTryAt),
        },
        200,
      );
    },
  );
}

const Change = z
  .strictObject({
    url: EndpointUrl.optional(),
    events: Events.optional(),
    description: Description.optional(),
    event_ids: EventIds.optional(),
    headers: OwnHeaders.optional(),
    enabled: z.boolean().optional().openapi({
      description: 'What waits at a webhook that is disabled is given up; it can be replayed once it is enabled again.',
    }),
  })
  .refine((change) => Object.keys(change).length > 0, 'state what is to change')
  .openapi('WebhookChange');

/** PATCH /v1/webhooks/{id} */
export function changeWebhookRoute(events: Profile): void {
  registerRoute(
    events,
    { ...WEBHOOKS, freshFactor: true, idempotent: true, errors: ['SERVICE_UNAVAILABLE'] },
    createRoute({
      method: 'patch',
      path: '/v1/webhooks/{id}',
      tags: ['webhooks'],
      summary: 'Change, disable or enable a webhook; what waits is tried at once',
      request: { params: WebhookParams, body: bodyOf(Change) },
      responses: { 200: jsonOf('Changed.', WebhookView) },
    }),
    async (c) => {
      const { event_ids: securityIds, enabled: isEnabled, ...stated } = c.req.valid('json');
      const change = { ...definedOf(stated), ...(securityIds === undefined ? {} : { securityIds }), isEnabled };
      const { id } = c.req.valid('param');
      const changed = await changeOwnEndpoint(c.env, ownerOf(c), id, change, Date.now(), bearerOf(c));
      return changed.ok ? c.json(webhookOnWire(changed.value), 200) : failure(c, changed.error);
    },
  );
}

type Defined<T> = { readonly [Name in keyof T]?: Exclude<T[Name], undefined> };

/** Without the fields that say nothing. */
function definedOf<T extends object>(fields: T): Defined<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>;
}

/** DELETE /v1/webhooks/{id} */
export function deleteWebhookRoute(events: Profile): void {
  registerRoute(
    events,
    WEBHOOKS,
    createRoute({
      method: 'delete',
      path: '/v1/webhooks/{id}',
      tags: ['webhooks'],
      summary: 'Delete a webhook, with what waits there and its log',
      request: { params: WebhookParams },
      responses: { 204: { description: 'Deleted.' } },
    }),
    async (c) => {
      const deleted = await deleteOwnEndpoint(c.env, ownerOf(c), c.req.valid('param').id);
      return deleted.ok ? c.body(null, 204) : failure(c, deleted.error);
    },
  );
}

const Rotated = z
  .object({
    webhook_id: z.uuid(),
    secret: Secret,
    former_secret_ends_at: z.iso.datetime().openapi({ description: 'Until then the former signs, too.' }),
  })
  .openapi('RotatedSecret');

/** POST /v1/webhooks/{id}/rotate-secret. No Idempotency-Key: keeping the answer would keep the secret. */
export function rotateWebhookSecretRoute(events: Profile): void {
  registerRoute(
    events,
    { ...WEBHOOKS, freshFactor: true, errors: ['CONFLICT'] },
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
      const rotated = await rotateSecret(c.env, ownerOf(c), id, Date.now(), bearerOf(c));
      if (!rotated.ok) return failure(c, rotated.error);
      const { secret, formerSecretEndsAt } = rotated.value;
      return c.json({ webhook_id: id, secret, former_secret_ends_at: isoTime(formerSecretEndsAt) }, 200);
    },
  );
}
