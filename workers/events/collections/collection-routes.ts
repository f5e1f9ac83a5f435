import { createRoute, z } from '@hono/zod-openapi';
import { deleteWholeCollection } from '../../../application/events/collections/delete-whole-collection.ts';
import { openCollection } from '../../../application/events/collections/open-collection.ts';
import { eventsDatabase } from '../../../data/events/database.ts';
import { findCollection, listCollections } from '../../../data/events/images/collections.ts';
import { listFaces } from '../../../data/events/images/faces.ts';
import { apiError } from '../../../protocol/errors/api-error.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { linkNextPage } from '../../responses/link-next-page.ts';
import { DetectedFaceSchema } from '../faces/detected-face-schema.ts';
import { notFound } from '../open-event.ts';
import { tenancyOf } from '../tenancy.ts';
import { isoTime, jsonOf } from '../wire.ts';
import { CollectionName } from './collection-name.ts';

const PAGE_MAX = 1_000;

const Page = z.object({
  limit: z.coerce.number().pipe(z.int().min(1).max(PAGE_MAX)).default(PAGE_MAX),
  cursor: z.string().max(200).default(''),
});

const Collection = z
  .object({ name: z.string(), event_id: z.string().nullable(), faces: z.int(), created_at: z.iso.datetime() })
  .openapi('Collection');

const StoredFace = DetectedFaceSchema.extend({ image_id: z.string(), created_at: z.iso.datetime() }).openapi(
  'StoredFace',
);

export function collectionRoutes(profile: Profile): void {
  list(profile);
  faces(profile);
  remove(profile);
}

/** GET /v1/collections. */
function list(profile: Profile): void {
  registerRoute(
    profile,
    { access: { credential: 'bearer', permission: 'faces:search' }, bucket: 'private' },
    createRoute({
      method: 'get',
      path: '/v1/collections',
      tags: ['collections'],
      summary: 'List the collections of the tenant',
      request: { query: Page },
      responses: { 200: jsonOf('By name.', z.object({ collections: z.array(Collection) })) },
    }),
    async (c) => {
      const { limit, cursor } = c.req.valid('query');
      const rows = await listCollections(eventsDatabase(c.env.EVENTS_DB), {
        tenant: tenancyOf(c).tenant,
        after: cursor,
        limit,
      });
      const last = rows.at(-1);
      if (rows.length === limit && last !== undefined) linkNextPage(c, last.name);
      const collections = rows.map(({ name, eventId, faces: stored, createdAt }) => ({
        name,
        event_id: eventId,
        faces: stored,
        created_at: isoTime(createdAt),
      }));
      return c.json({ collections }, 200);
    },
  );
}

/** GET /v1/collections/{name}/faces: what is stored, without the embeddings. */
function faces(profile: Profile): void {
  registerRoute(
    profile,
    { access: { credential: 'bearer', permission: 'faces:search' }, bucket: 'private' },
    createRoute({
      method: 'get',
      path: '/v1/collections/{name}/faces',
      tags: ['collections'],
      summary: 'List the stored faces of a collection',
      request: { params: z.object({ name: CollectionName }), query: Page },
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
        bbox: [...row.bbox] as [number, number, number, number],
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

/** DELETE /v1/collections/{name}, with its key: whatever copy is left of it can be read no more. */
function remove(profile: Profile): void {
  registerRoute(
    profile,
    { access: { credential: 'bearer', permission: 'events:delete' }, bucket: 'private' },
    createRoute({
      method: 'delete',
      path: '/v1/collections/{name}',
      tags: ['collections'],
      summary: 'Delete a collection with its faces',
      request: { params: z.object({ name: CollectionName }) },
      responses: { 204: { description: 'The collection is gone.' } },
    }),
    async (c) => {
      const { name } = c.req.valid('param');
      const collection = await findCollection(eventsDatabase(c.env.EVENTS_DB), tenancyOf(c).tenant, name);
      if (collection === null) return failure(c, notFound('the collection'));
      if (collection.eventId !== null)
        return failure(
          c,
          apiError('CONFLICT', 'the collection of an event is deleted with the event', { event_id: name }),
        );
      await deleteWholeCollection(c.env, collection);
      return c.body(null, 204);
    },
  );
}
