import { createRoute, z } from '@hono/zod-openapi';
import { giveCollectionBack } from '../../../application/events/collections/remove-collection.ts';
import { eventsDatabase } from '../../../data/events/database.ts';
import { listDeletedCollections } from '../../../data/events/images/collections.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { linkNextPage } from '../../responses/link-next-page.ts';
import { isoTimeOrNull, jsonOf } from '../../responses/wire.ts';
import { tenancyOf } from '../tenancy.ts';
import { CollectionPage } from './collection-page.ts';

const DeletedCollection = z
  .object({
    id: z.string(),
    name: z.string().nullable(),
    deleted_by: z.string().nullable().openapi({ description: 'User id.' }),
    shred_at: z.iso.datetime().nullable().openapi({ description: 'When its key is to be destroyed.' }),
  })
  .openapi('DeletedCollection');

/** GET /v1/deleted-collections. */
export function listDeletedCollectionsRoute(profile: Profile): void {
  registerRoute(
    profile,
    { access: { credential: 'bearer', permission: 'collections:delete' }, bucket: 'private' },
    createRoute({
      method: 'get',
      path: '/v1/deleted-collections',
      tags: ['collections'],
      summary: 'Deleted collections that can be given back',
      request: { query: CollectionPage },
      responses: { 200: jsonOf('In order of making.', z.object({ collections: z.array(DeletedCollection) })) },
    }),
    async (c) => {
      const { limit, cursor } = c.req.valid('query');
      const rows = await listDeletedCollections(eventsDatabase(c.env.EVENTS_DB), {
        tenant: tenancyOf(c).tenant,
        after: cursor,
        limit,
      });
      const last = rows.at(-1);
      if (rows.length === limit && last !== undefined) linkNextPage(c, last.id);
      const collections = rows.map(({ id, deletedName, deletedBy, shredAt }) => ({
        id,
        name: deletedName,
        deleted_by: deletedBy,
        shred_at: isoTimeOrNull(shredAt),
      }));
      return c.json({ collections }, 200);
    },
  );
}

/** POST /v1/deleted-collections/{id}/restore. */
export function restoreCollectionRoute(profile: Profile): void {
  registerRoute(
    profile,
    { access: { credential: 'bearer', permission: 'collections:delete' }, bucket: 'private', errors: ['CONFLICT'] },
    createRoute({
      method: 'post',
      path: '/v1/deleted-collections/{id}/restore',
      tags: ['collections'],
      summary: 'Give a deleted collection its name back',
      request: { params: z.object({ id: z.string() }) },
      responses: { 204: { description: 'It is there again, with its faces.' } },
    }),
    async (c) => {
      const given = await giveCollectionBack(c.env, tenancyOf(c).tenant, c.req.valid('param').id);
      return given.ok ? c.body(null, 204) : failure(c, given.error);
    },
  );
}
