import { createRoute, z } from '@hono/zod-openapi';
import { listEvents } from '../../../application/partner/webhooks/list-events.ts';
import { SECOND_MS } from '../../../domain/calendar/durations.ts';
import { PARTNER_EVENTS } from '../../../domain/webhooks/webhook-event.ts';
import { EVENTS_PER_PAGE_MAX, WAIT_MS_MAX } from '../../../durable-objects/partner-events/api.ts';
import { bearerOf, partnerOf } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { linkNextPage, moreOf, moreView } from '../../responses/link-next-page.ts';
import { listedBodyOf } from '../../responses/listed-event.ts';
import { wholeNumberOr } from '../../responses/whole-number.ts';
import { jsonOf } from '../../responses/wire.ts';
import { LISTED_EVENTS } from '../examples.ts';
import { WEBHOOK_ROUTE } from '../partner-route.ts';

const WAIT_S_MAX = WAIT_MS_MAX / SECOND_MS;

/** Names between commas. */
const Types = z
  .preprocess(
    (text) => (typeof text === 'string' ? text.split(',') : text),
    z.array(z.enum(PARTNER_EVENTS)).max(PARTNER_EVENTS.length),
  )
  .optional()
  .openapi({
    type: 'string',
    description:
      'Events between commas, of those that organizations of the caller’s role receive; all of these without it.',
    example: 'trade.executed,settlement.finalized',
  });

const Query = z.object({
  after: z.string().min(1).max(64).optional().openapi({
    description:
      'Id of an event (`event_id`, `webhook-id`): what was told after it. Without it the list begins with the oldest of the last 30 days.',
  }),
  types: Types,
  wait: wholeNumberOr(0, 0, WAIT_S_MAX).openapi({
    description: 'Seconds to wait for the next event where there is none. Then the answer has none.',
  }),
  limit: wholeNumberOr(EVENTS_PER_PAGE_MAX, 1, EVENTS_PER_PAGE_MAX),
});

const ListedEvent = z
  .looseObject({
    webhook_event: z.looseObject({ event_id: z.string(), event_type: z.enum(PARTNER_EVENTS), endpoint: z.string() }),
  })
  .openapi('ListedEvent', { description: 'The body of the webhook; GET /schemas/{event}.json has its shape.' });

const EventsList = z
  .object({
    events: z.array(ListedEvent),
    next_after: z.string().nullable().openapi({
      description:
        '`after` of your next request for the same types: the last event here, or a later one of another type. Null where nothing was told yet.',
    }),
    ...moreView,
  })
  .openapi('EventsList', { example: LISTED_EVENTS });

/** GET /v1/events */
export function listEventsRoute(partner: Profile): void {
  registerRoute(
    partner,
    WEBHOOK_ROUTE,
    createRoute({
      method: 'get',
      path: '/v1/events',
      tags: ['webhooks'],
      summary:
        'What happened to your securities, trades and transfers of the bridge in the last 30 days, for those who receive no webhooks',
      description:
        'What webhooks of the organization would have been sent, subscribed or not: the same ids, bodies and order; `endpoint` is the address of this list.',
      request: { query: Query },
      responses: { 200: jsonOf('Oldest first.', EventsList) },
    }),
    async (c) => {
      const { after = null, types = null, wait, limit } = c.req.valid('query');
      const query = { after, types, limit, waitMs: wait * SECOND_MS };
      const found = await listEvents(c.env, partnerOf(c), query, bearerOf(c));
      if (!found.ok) return failure(c, found.error);
      const { events, hasMore, last } = found.value;
      if (hasMore && last !== null) linkNextPage(c, last, 'after');
      return c.json(
        {
          events: events.map((event) => listedBodyOf<z.infer<typeof ListedEvent>>(c, event)),
          next_after: last,
          ...moreOf(c),
        },
        200,
      );
    },
  );
}
