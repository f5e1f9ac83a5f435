import { createRoute, z } from '@hono/zod-openapi';
import { exportAttendee } from '../../../application/events/attendees/export-attendee.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { jsonOf } from '../../responses/wire.ts';
import { tenancyOf } from '../tenancy.ts';
import { AttendeeExportRecord, exportView } from './export-schema.ts';

/** GET /attendees/{event_id}/{attendee_id}/export. */
export function exportAttendeeRoute(events: Profile): void {
  registerRoute(
    events,
    { access: { credential: 'bearer', permission: 'attendees:erase' }, bucket: 'private' },
    createRoute({
      method: 'get',
      path: '/attendees/{event_id}/{attendee_id}/export',
      tags: ['attendees'],
      summary: 'Everything held on an attendee',
      request: { params: z.object({ event_id: z.string(), attendee_id: z.string() }) },
      responses: {
        200: jsonOf('All but the vectors, and the images of frames, which show others too.', AttendeeExportRecord),
      },
    }),
    async (c) => {
      const { event_id: eventId, attendee_id: attendeeId } = c.req.valid('param');
      const held = await exportAttendee(c.env, tenancyOf(c).tenant, eventId, attendeeId);
      if (!held.ok) return failure(c, held.error);
      const photosPath = new URL(c.req.url).pathname.replace(/export$/, 'photos');
      return c.json(exportView(held.value, photosPath), 200);
    },
  );
}
