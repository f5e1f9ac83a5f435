import { createRoute, z } from '@hono/zod-openapi';
import { removeCollection } from '../../../application/events/collections/remove-collection.ts';
import { principalOf } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { tenancyOf } from '../tenancy.ts';
import { WrittenCollectionName } from './collection-name.ts';

/** DELETE /v1/collections/{name}. Its key is destroyed after the retention period: whatever copy is left of it can be read no more then. */
export function deleteCollectionRoute(profile: Profile): void {
  registerRoute(
    profile,
    { access: { credential: 'bearer', permission: 'collections:delete' }, bucket: 'private', errors: ['CONFLICT'] },
    createRoute({
      method: 'delete',
      path: '/v1/collections/{name}',
      tags: ['collections'],
      summary: 'Delete a collection with its faces; it can be given back during the retention period',
      request: { params: z.object({ name: WrittenCollectionName }) },
      responses: { 204: { description: 'The collection is gone.' } },
    }),
    async (c) => {
      const { name } = c.req.valid('param');
      const removed = await removeCollection(c.env, tenancyOf(c).tenant, { name, by: principalOf(c).userId });
      return removed.ok ? c.body(null, 204) : failure(c, removed.error);
    },
  );
}
