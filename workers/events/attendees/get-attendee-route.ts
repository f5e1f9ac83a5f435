import { createRoute, z } from '@hono/zod-openapi';
import { notFound } from '../../../application/events/not-found.ts';
import { openEvent } from '../../../application/events/open-event.ts';
import { findAttendee } from '../../../data/events/attendees/attendees.ts';
import { eventsDatabase } from '../../../data/events/database.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { jsonOf } from '../../responses/wire.ts';
import { tenancyOf } from '../tenancy.ts';
import { AttendeeRecord, attendeeView } from './attendee-schema.ts';

/** GET /attendees/{event_id}/{attendee_id}. */
export function getAttendeeRoute(events: Profile): void {
  registerRoute(
    events,
    { access: { credential: 'bearer', permission: 'attendees:read' }, bucket: 'private' },
    createRoute({
      method: 'get',
      path: '/attendees/{event_id}/{attendee_id}',
      tags: ['attendees'],
      summary: 'An attendee of an event, without embeddings',
      request: { params: z.object({ event_id: z.string(), attendee_id: z.string() }) },
      responses: { 200: jsonOf('The attendee.', AttendeeRecord) },
    }),
    async (c) => {
      const { event_id: eventId, attendee_id: id } = c.req.valid('param');
      const opened = await openEvent(c.env, tenancyOf(c).tenant, eventId);
      if (opened === null) return failure(c, notFound('event'));
      const attendee = await findAttendee(eventsDatabase(c.env.EVENTS_DB), opened.key, eventId, id);
      return attendee === null ? failure(c, notFound('attendee')) : c.json(attendeeView(attendee), 200);
    },
  );
}
