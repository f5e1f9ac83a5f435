import { createRoute, z } from '@hono/zod-openapi';
import { listEvents } from '../../../application/partner/webhooks/list-events.ts';
import { SECOND_MS } from '../../../domain/calendar/durations.ts';
import { TENANT_EVENTS } from '../../../domain/webhooks/webhook-event.ts';
import { EVENTS_PER_PAGE_MAX, WAIT_MS_MAX } from '../../../durable-objects/partner-events/api.ts';
import { EVENT_PAYLOADS, jsonSchemaOf, WebhookTest } from '../../../protocol/partner/events.ts';
import { bearerOf } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { linkNextPage, moreOf, moreView } from '../../responses/link-next-page.ts';
import { listedBodyOf } from '../../responses/listed-event.ts';
import { wholeNumberOr } from '../../responses/whole-number.ts';
import { jsonOf } from '../../responses/wire.ts';
import { ownerOf } from './webhook-schema.ts';

const Query = z.object({
  after: z.string().min(1).max(64).optional().openapi({
    description:
      'Id of a message (`webhook_event.event_id`, `webhook-id`): what was told after it. Without it the list begins with the oldest of the last 30 days.',
  }),
  types: z
    .preprocess(
      (text) => (typeof text === 'string' ? text.split(',') : text),
      z.array(z.enum(TENANT_EVENTS)).max(TENANT_EVENTS.length),
    )
    .optional()
    .openapi({ type: 'string', description: 'Between commas; all without it.', example: 'event.review_opened' }),
  wait: wholeNumberOr(0, 0, WAIT_MS_MAX / SECOND_MS).openapi({
    description: 'Seconds to wait for the next message where there is none. Then the answer has none.',
  }),
  limit: wholeNumberOr(EVENTS_PER_PAGE_MAX, 1, EVENTS_PER_PAGE_MAX),
});

const ToldEvent = z
  .looseObject({
    webhook_event: z.looseObject({ event_id: z.string(), event_type: z.enum(TENANT_EVENTS), endpoint: z.string() }),
  })
  .openapi('ToldEvent', { description: 'The body of the webhook; GET /schemas/{event}.json has its shape.' });

const ToldEvents = z
  .object({
    events: z.array(ToldEvent),
    next_after: z.string().nullable().openapi({
      description:
        '`after` of your next request for the same types: the last message here, or a later one of another type. Null where nothing was told yet.',
    }),
    ...moreView,
  })
  .openapi('ToldEvents');

/** GET /v1/webhook-events */
export function listWebhookEventsRoute(events: Profile): void {
  registerRoute(
    events,
    // Whoever decides reviews.
    { access: { credential: 'bearer', permission: 'timeline:correct' }, bucket: 'private' },
    createRoute({
      method: 'get',
      path: '/v1/webhook-events',
      tags: ['webhooks'],
      summary: 'What the tenant was told in the last 30 days, for those who receive no webhooks',
      description:
        'What webhooks of the tenant would have been sent, subscribed or not: the same ids, bodies and order; `endpoint` is the address of this list.',
      request: { query: Query },
      responses: { 200: jsonOf('Oldest first.', ToldEvents) },
    }),
    async (c) => {
      const { after = null, types = null, wait, limit } = c.req.valid('query');
      const query = { after, types, limit, waitMs: wait * SECOND_MS };
      const found = await listEvents(c.env, ownerOf(c), query, bearerOf(c));
      if (!found.ok) return failure(c, found.error);
      const { events: told, hasMore, last } = found.value;
      if (hasMore && last !== null) linkNextPage(c, last, 'after');
      const bodies = told.map((event) => listedBodyOf<z.infer<typeof ToldEvent>>(c, event));
      return c.json({ events: bodies, next_after: last, ...moreOf(c) }, 200);
    },
  );
}

const JsonSchema = z.record(z.string(), z.unknown()).openapi('JsonSchema');

/** GET /schemas/{event}.json: the JSON Schema of each body. */
export function getEventSchemaRoutes(events: Profile): void {
  const payloads = TENANT_EVENTS.map((event) => [event, EVENT_PAYLOADS[event]] as const);
  for (const [event, payload] of [...payloads, ['webhook.test', WebhookTest] as const]) {
    const schema = jsonSchemaOf(payload);
    registerRoute(
      events,
      { access: { credential: 'bearer', permission: 'events:read' }, bucket: 'private' },
      createRoute({
        method: 'get',
        path: `/schemas/${event}.json`,
        tags: ['webhooks'],
        summary: `JSON Schema of ${event}`,
        responses: { 200: jsonOf('JSON Schema 2020-12.', JsonSchema) },
      }),
      (c) => c.json(schema, 200),
    );
  }
}
