import { createRoute, z } from '@hono/zod-openapi';
import { openEventCollection } from '../../../application/events/collections/open-collection.ts';
import { eventsDatabase } from '../../../data/events/database.ts';
import { photosOfAttendee } from '../../../data/events/images/faces.ts';
import { getImage } from '../../../data/events/images/sealed-images.ts';
import { imageTypeOf } from '../../../domain/events/image-type.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { notFound } from '../open-event.ts';
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
      const { event_id: eventId, attendee_id: attendeeId, photo_id: id } = c.req.valid('param');
      const open = await openEventCollection(c.env, tenancyOf(c).tenant, eventId);
      if (open === null) return failure(c, notFound('event'));
      const { collection, key } = open;
      const tag = await key.tag('attendee', attendeeId);
      const photos = await photosOfAttendee(eventsDatabase(c.env.EVENTS_DB), collection.id, tag);
      const photo = photos.find((one) => one.id === id);
      if (photo === undefined) return failure(c, notFound('photo'));
      const image = await getImage(c.env.EVENT_IMAGES, key, { path: photo.objectKey, kind: 'photo', id });
      if (image === null) return failure(c, notFound('photo'));
      return c.body(image, 200, { 'content-type': imageTypeOf(image), 'cache-control': 'no-store' });
    },
  );
}
