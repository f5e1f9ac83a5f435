import { createRoute, z } from '@hono/zod-openapi';
import { eventsDatabase } from '../../../data/events/database.ts';
import { listCollections } from '../../../data/events/images/collections.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { linkNextPage } from '../../responses/link-next-page.ts';
import { isoTime, jsonOf } from '../../responses/wire.ts';
import { tenancyOf } from '../tenancy.ts';
import { CollectionPage } from './collection-page.ts';

const Collection = z
  .object({ name: z.string(), event_id: z.string().nullable(), faces: z.int(), created_at: z.iso.datetime() })
  .openapi('Collection');

/** GET /v1/collections. */
export function listCollectionsRoute(profile: Profile): void {
  registerRoute(
    profile,
    { access: { credential: 'bearer', permission: 'faces:search' }, bucket: 'private' },
    createRoute({
      method: 'get',
      path: '/v1/collections',
      tags: ['collections'],
      summary: 'List the collections of the tenant',
      request: { query: CollectionPage },
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
