import { createRoute, z } from '@hono/zod-openapi';
import { eraseAttendee } from '../../../application/events/attendees/erase-attendee.ts';
import { openEventCollection } from '../../../application/events/collections/open-collection.ts';
import { notFound } from '../../../application/events/not-found.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { tenancyOf } from '../tenancy.ts';

/** DELETE /attendees/{event_id}/{attendee_id}. */
export function eraseAttendeeRoute(events: Profile): void {
  registerRoute(
    events,
    { access: { credential: 'bearer', permission: 'attendees:erase' }, bucket: 'private' },
    createRoute({
      method: 'delete',
      path: '/attendees/{event_id}/{attendee_id}',
      tags: ['attendees'],
      summary: 'Erase everything held on an attendee; where they came and went, nobody did',
      request: { params: z.object({ event_id: z.string(), attendee_id: z.string() }) },
      responses: { 204: { description: 'Nothing is held on them any more.' } },
    }),
    async (c) => {
      const { event_id: eventId, attendee_id: attendeeId } = c.req.valid('param');
      const open = await openEventCollection(c.env, tenancyOf(c).tenant, eventId);
      if (open === null) return failure(c, notFound('event'));
      return (await eraseAttendee(c.env, open, attendeeId)) ? c.body(null, 204) : failure(c, notFound('attendee'));
    },
  );
}
