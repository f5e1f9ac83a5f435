import { createRoute, z } from '@hono/zod-openapi';
import { eventsDatabase } from '../../../data/events/database.ts';
import { listEvents } from '../../../data/events/sites/events.ts';
import { eventPhaseOf } from '../../../domain/events/event-dates.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { limitQuery, pageOf, rowsToRead } from '../../responses/paging.ts';
import { timeCursorOf, timeCursorQuery, timeCursorText } from '../../responses/time-cursor.ts';
import { jsonOf } from '../../responses/wire.ts';
import { tenancyOf } from '../tenancy.ts';

const EventItem = z.object({ id: z.string(), name: z.string(), date: z.string() }).openapi('EventItem');

/** GET /events. */
export function listEventsRoute(events: Profile): void {
  registerRoute(
    events,
    { access: { credential: 'bearer', permission: 'events:read' }, bucket: 'private' },
    createRoute({
      method: 'get',
      path: '/events',
      tags: ['events'],
      summary: 'Events by whether they are still to come, go on or are over, the latest first',
      request: { query: z.object({ limit: limitQuery, cursor: timeCursorQuery }) },
      responses: {
        200: jsonOf(
          'The events.',
          z.object({ upcoming: z.array(EventItem), ongoing: z.array(EventItem), past: z.array(EventItem) }),
        ),
      },
    }),
    async (c) => {
      const { limit, cursor } = c.req.valid('query');
      const found = await listEvents(eventsDatabase(c.env.EVENTS_DB), {
        tenant: tenancyOf(c).tenant,
        after: timeCursorOf(cursor),
        limit: rowsToRead(limit),
      });
      const now = Date.now();
      const groups: Record<'upcoming' | 'ongoing' | 'past', z.infer<typeof EventItem>[]> = {
        upcoming: [],
        ongoing: [],
        past: [],
      };
      for (const event of pageOf(c, found, limit, (last) => timeCursorText(last.date, last.id)))
        groups[eventPhaseOf(event, now)].push({ id: event.id, name: event.name, date: event.dateGiven });
      return c.json(groups, 200);
    },
  );
}
