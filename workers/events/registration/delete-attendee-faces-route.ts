import { createRoute, z } from '@hono/zod-openapi';
import { openEventCollection } from '../../../application/events/collections/open-collection.ts';
import { removeFaces } from '../../../application/events/faces/remove-faces.ts';
import { findAttendee } from '../../../data/events/attendees/attendees.ts';
import { eventsDatabase } from '../../../data/events/database.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { notFound } from '../open-event.ts';
import { tenancyOf } from '../tenancy.ts';
import { jsonOf } from '../wire.ts';

/** DELETE /attendees/{event_id}/{attendee_id}/faces: the attendee stays, and is recognized no more. */
export function deleteAttendeeFacesRoute(profile: Profile): void {
  registerRoute(
    profile,
    { access: { credential: 'bearer', permission: 'attendees:write' }, bucket: 'private' },
    createRoute({
      method: 'delete',
      path: '/attendees/{event_id}/{attendee_id}/faces',
      tags: ['attendees'],
      summary: 'Delete the faces and photographs of an attendee',
      request: { params: z.object({ event_id: z.string(), attendee_id: z.string() }) },
      responses: { 200: jsonOf('How many faces were deleted.', z.object({ faces_deleted: z.int() })) },
    }),
    async (c) => {
      const { event_id: eventId, attendee_id: id } = c.req.valid('param');
      const open = await openEventCollection(c.env, tenancyOf(c).tenant, eventId);
      if (open === null) return failure(c, notFound('event'));
      const attendee = await findAttendee(eventsDatabase(c.env.EVENTS_DB), open.key, eventId, id);
      if (attendee === null) return failure(c, notFound('attendee'));
      const faces_deleted = await removeFaces(c.env, open, await open.key.tag('attendee', id));
      return c.json({ faces_deleted }, 200);
    },
  );
}
