import { createRoute, z } from '@hono/zod-openapi';
import { readPhoto } from '../../../application/events/attendees/read-photo.ts';
import { imageTypeOf } from '../../../domain/events/image-type.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { tenancyOf } from '../tenancy.ts';

/** GET /attendees/{event_id}/{attendee_id}/photos/{photo_id}: what the export links to. */
export function getPhotoRoute(events: Profile): void {
  registerRoute(
    events,
    { access: { credential: 'bearer', permission: 'attendees:erase' }, bucket: 'private' },
    createRoute({
      method: 'get',
      path: '/attendees/{event_id}/{attendee_id}/photos/{photo_id}',
      tags: ['attendees'],
      summary: 'A photograph that an attendee was registered with',
      request: { params: z.object({ event_id: z.string(), attendee_id: z.string(), photo_id: z.string() }) },
      responses: { 200: { description: 'The image.' } },
    }),
    async (c) => {
      const { event_id: eventId, attendee_id: attendeeId, photo_id: photoId } = c.req.valid('param');
      const photo = await readPhoto(c.env, tenancyOf(c).tenant, { eventId, attendeeId, photoId });
      if (!photo.ok) return failure(c, photo.error);
      const type = imageTypeOf(photo.value) ?? 'application/octet-stream';
      return c.body(photo.value, 200, { 'content-type': type, 'cache-control': 'no-store' });
    },
  );
}
