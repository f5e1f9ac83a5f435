import { createRoute, z } from '@hono/zod-openapi';
import { readReembedding } from '../../../application/events/collections/reembedding.ts';
import { notFound } from '../../../application/events/not-found.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { jsonOf } from '../../responses/wire.ts';
import { callerOf } from '../tenancy.ts';
import { CollectionName } from './collection-name.ts';
import { ReembeddingRecord, reembeddingView } from './reembedding-schema.ts';

/** GET /v1/collections/{name}/reembed. */
export function getReembeddingRoute(events: Profile): void {
  registerRoute(
    events,
    { access: { credential: 'bearer', permission: 'faces:write' }, bucket: 'private' },
    createRoute({
      method: 'get',
      path: '/v1/collections/{name}/reembed',
      tags: ['collections'],
      summary: 'How far the embedding of a collection is',
      request: { params: z.object({ name: CollectionName }) },
      responses: { 200: jsonOf('Where it stands.', ReembeddingRecord) },
    }),
    async (c) => {
      const state = await readReembedding(c.env, callerOf(c), c.req.valid('param').name);
      return state === null ? failure(c, notFound('the collection')) : c.json(reembeddingView(state), 200);
    },
  );
}
