import { createRoute, z } from '@hono/zod-openapi';
import { startReembedding } from '../../../application/events/collections/reembedding.ts';
import { notFound } from '../../../application/events/not-found.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { jsonOf } from '../../responses/wire.ts';
import { callerOf } from '../tenancy.ts';
import { CollectionName } from './collection-name.ts';
import { ReembeddingRecord, reembeddingView } from './reembedding-schema.ts';

/** POST /v1/collections/{name}/reembed: once however often it is asked while it runs. */
export function startReembeddingRoute(events: Profile): void {
  registerRoute(
    events,
    { access: { credential: 'bearer', permission: 'faces:write' }, bucket: 'private' },
    createRoute({
      method: 'post',
      path: '/v1/collections/{name}/reembed',
      tags: ['collections'],
      summary: 'Embed the faces of a collection by the model of now',
      request: { params: z.object({ name: CollectionName }) },
      responses: { 202: jsonOf('It runs.', ReembeddingRecord) },
    }),
    async (c) => {
      const state = await startReembedding(c.env, callerOf(c), c.req.valid('param').name);
      return state === null ? failure(c, notFound('the collection')) : c.json(reembeddingView(state), 202);
    },
  );
}
