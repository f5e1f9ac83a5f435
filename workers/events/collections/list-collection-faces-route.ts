import { createRoute, z } from '@hono/zod-openapi';
import { openCollection } from '../../../application/events/collections/open-collection.ts';
import { notFound } from '../../../application/events/not-found.ts';
import { eventsDatabase } from '../../../data/events/database.ts';
import { listFaces } from '../../../data/events/images/faces.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { linkNextPage } from '../../responses/link-next-page.ts';
import { isoTime, jsonOf } from '../../responses/wire.ts';
import { boxView, DetectedFaceSchema } from '../faces/detected-face-schema.ts';
import { tenancyOf } from '../tenancy.ts';
import { CollectionName } from './collection-name.ts';
import { CollectionPage } from './collection-page.ts';

const StoredFace = DetectedFaceSchema.extend({ image_id: z.string(), created_at: z.iso.datetime() }).openapi(
  'StoredFace',
);

/** GET /v1/collections/{name}/faces: what is stored, without the embeddings. */
export function listCollectionFacesRoute(profile: Profile): void {
  registerRoute(
    profile,
    { access: { credential: 'bearer', permission: 'faces:search' }, bucket: 'private' },
    createRoute({
      method: 'get',
      path: '/v1/collections/{name}/faces',
      tags: ['collections'],
      summary: 'List the stored faces of a collection',
      request: { params: z.object({ name: CollectionName }), query: CollectionPage },
      responses: { 200: jsonOf('In order of storing.', z.object({ faces: z.array(StoredFace) })) },
    }),
    async (c) => {
      const { limit, cursor } = c.req.valid('query');
      const open = await openCollection(c.env, tenancyOf(c).tenant, c.req.valid('param').name);
      if (open === null) return failure(c, notFound('the collection'));
      const rows = await listFaces(eventsDatabase(c.env.EVENTS_DB), {
        collectionId: open.collection.id,
        after: cursor,
        limit,
      });
      const last = rows.at(-1);
      if (rows.length === limit && last !== undefined) linkNextPage(c, last.id);
      const stored = rows.map((row) => ({
        id: row.id,
        bbox: boxView(row.bbox),
        confidence: row.confidence,
        quality: row.quality,
        embedding_stored: true,
        image_id: row.photoId,
        created_at: isoTime(row.createdAt),
      }));
      return c.json({ faces: stored }, 200);
    },
  );
}
