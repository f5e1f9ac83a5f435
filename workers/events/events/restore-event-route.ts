import { createRoute, z } from '@hono/zod-openapi';
import { notFound } from '../../../application/events/not-found.ts';
import { eventsDatabase } from '../../../data/events/database.ts';
import { restoreEvent } from '../../../data/events/sites/events.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { jsonOf } from '../../responses/wire.ts';
import { tenancyOf } from '../tenancy.ts';
import { EventRecord, eventView } from './event-schema.ts';

/** POST /events/{id}/restore. */
export function restoreEventRoute(events: Profile): void {
  registerRoute(
    events,
    { access: { credential: 'bearer', permission: 'events:delete' }, bucket: 'private' },
    createRoute({
      method: 'post',
      path: '/events/{id}/restore',
      tags: ['events'],
      summary: 'Take the deletion of an event back while it is retained',
      request: { params: z.object({ id: z.string() }) },
      responses: { 200: jsonOf('The event.', EventRecord) },
    }),
    async (c) => {
      const wanted = { tenant: tenancyOf(c).tenant, id: c.req.valid('param').id, now: Date.now() };
      const event = await restoreEvent(eventsDatabase(c.env.EVENTS_DB), wanted);
      return event === null ? failure(c, notFound('deleted event')) : c.json(eventView(event), 200);
    },
  );
}
