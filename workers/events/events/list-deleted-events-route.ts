import { createRoute, z } from '@hono/zod-openapi';
import { eventsDatabase } from '../../../data/events/database.ts';
import { listDeletedEvents } from '../../../data/events/sites/events.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { limitQuery, pageOf, rowsToRead } from '../../responses/paging.ts';
import { jsonOf } from '../../responses/wire.ts';
import { tenancyOf } from '../tenancy.ts';
import { EventRecord, eventView } from './event-schema.ts';

/** GET /events/deleted. */
export function listDeletedEventsRoute(events: Profile): void {
  registerRoute(
    events,
    { access: { credential: 'bearer', permission: 'events:delete' }, bucket: 'private' },
    createRoute({
      method: 'get',
      path: '/events/deleted',
      tags: ['events'],
      summary: 'Deleted events whose key is still there, the latest first',
      request: { query: z.object({ limit: limitQuery, cursor: z.uuid().optional() }) },
      responses: { 200: jsonOf('The events.', z.object({ events: z.array(EventRecord) })) },
    }),
    async (c) => {
      const { limit, cursor = null } = c.req.valid('query');
      const found = await listDeletedEvents(eventsDatabase(c.env.EVENTS_DB), {
        tenant: tenancyOf(c).tenant,
        after: cursor,
        limit: rowsToRead(limit),
      });
      return c.json({ events: pageOf(c, found, limit, (last) => last.id).map(eventView) }, 200);
    },
  );
}
