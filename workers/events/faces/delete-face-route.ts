import { createRoute, z } from '@hono/zod-openapi';
import { removeVectors } from '../../../application/events/collections/gallery-shards.ts';
import { openCollection } from '../../../application/events/collections/open-collection.ts';
import { eventsDatabase } from '../../../data/events/database.ts';
import { deleteFace, findFace } from '../../../data/events/images/faces.ts';
import { deletePhotos, findPhotos } from '../../../data/events/images/photos.ts';
import { deleteImages } from '../../../data/events/images/sealed-images.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { notFound } from '../open-event.ts';
import { tenancyOf } from '../tenancy.ts';

/** DELETE /v1/faces/{id}: its vector, then its row, and with the last face of a photo the photo. Interrupted, it is repeated or swept. */
export function deleteFaceRoute(profile: Profile): void {
  registerRoute(
    profile,
    { access: { credential: 'bearer', permission: 'faces:write' }, bucket: 'private' },
    createRoute({
      method: 'delete',
      path: '/v1/faces/{id}',
      tags: ['faces'],
      summary: 'Delete a stored face',
      request: { params: z.object({ id: z.string() }) },
      responses: { 204: { description: 'The face is gone.' } },
    }),
    async (c) => {
      const db = eventsDatabase(c.env.EVENTS_DB);
      const { tenant } = tenancyOf(c);
      const found = await findFace(db, tenant, c.req.valid('param').id);
      if (found === null) return failure(c, notFound('the face'));
      const { face, collection } = found;
      const open = await openCollection(c.env, tenant, collection.name);
      if (open === null) return failure(c, notFound('the face'));
      await removeVectors(c.env, open, [face]);
      if (await deleteFace(db, face)) {
        const photos = await findPhotos(db, [face.photoId]);
        await deleteImages(
          c.env.EVENT_IMAGES,
          photos.map(({ objectKey }) => objectKey),
        );
        await deletePhotos(db, [face.photoId]);
      }
      return c.body(null, 204);
    },
  );
}
