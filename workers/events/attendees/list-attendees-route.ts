import { createRoute, z } from '@hono/zod-openapi';
import { notFound } from '../../../application/events/not-found.ts';
import { openEvent } from '../../../application/events/open-event.ts';
import { listAttendees } from '../../../data/events/attendees/attendees.ts';
import { eventsDatabase } from '../../../data/events/database.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { limitQuery, pageOf, rowsToRead } from '../../responses/paging.ts';
import { jsonOf } from '../../responses/wire.ts';
import { tenancyOf } from '../tenancy.ts';
import { AttendeeRecord, attendeeView } from './attendee-schema.ts';

/** GET /attendees/{event_id}. */
export function listAttendeesRoute(events: Profile): void {
  registerRoute(
    events,
    { access: { credential: 'bearer', permission: 'attendees:read' }, bucket: 'private' },
    createRoute({
      method: 'get',
      path: '/attendees/{event_id}',
      tags: ['attendees'],
      summary: 'Attendees of an event, without embeddings',
      request: {
        params: z.object({ event_id: z.string() }),
        query: z.object({ limit: limitQuery, cursor: z.uuid().optional() }),
      },
      responses: { 200: jsonOf('The attendees.', z.object({ attendees: z.array(AttendeeRecord) })) },
    }),
    async (c) => {
      const { limit, cursor = null } = c.req.valid('query');
      const opened = await openEvent(c.env, tenancyOf(c).tenant, c.req.valid('param').event_id);
      if (opened === null) return failure(c, notFound('event'));
      const found = await listAttendees(eventsDatabase(c.env.EVENTS_DB), opened.key, {
        eventId: opened.event.id,
        after: cursor,
        limit: rowsToRead(limit),
      });
      return c.json({ attendees: pageOf(c, found, limit, (last) => last.id).map(attendeeView) }, 200);
    },
  );
}
