import { createRoute, z } from '@hono/zod-openapi';
import { findAttendee, listAttendees } from '../../../data/events/attendees/attendees.ts';
import { eventsDatabase } from '../../../data/events/database.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { limitQuery, pageOf, rowsToRead } from '../../responses/paging.ts';
import { notFound, openEvent } from '../open-event.ts';
import { jsonOf } from '../wire.ts';
import { AttendeeRecord, attendeeView } from './attendee-schema.ts';

/** GET /attendees/{event_id}. */
export function registerListAttendees(events: Profile): void {
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
      const opened = await openEvent(c, c.req.valid('param').event_id);
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

/** GET /attendees/{event_id}/{attendee_id}. */
export function registerGetAttendee(events: Profile): void {
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
      const opened = await openEvent(c, eventId);
      if (opened === null) return failure(c, notFound('event'));
      const attendee = await findAttendee(eventsDatabase(c.env.EVENTS_DB), opened.key, eventId, id);
      return attendee === null ? failure(c, notFound('attendee')) : c.json(attendeeView(attendee), 200);
    },
  );
}
