import { createRoute, z } from '@hono/zod-openapi';
import { removeAttendeeFaces } from '../../../application/events/attendees/remove-attendee-faces.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { jsonOf } from '../../responses/wire.ts';
import { tenancyOf } from '../tenancy.ts';

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
      const removed = await removeAttendeeFaces(c.env, tenancyOf(c).tenant, eventId, id);
      return removed.ok ? c.json({ faces_deleted: removed.value }, 200) : failure(c, removed.error);
    },
  );
}
