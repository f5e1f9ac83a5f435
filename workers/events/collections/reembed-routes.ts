import { createRoute, z } from '@hono/zod-openapi';
import { openCollection } from '../../../application/events/collections/open-collection.ts';
import { requestReembedding } from '../../../application/events/collections/request-reembedding.ts';
import { currentModel } from '../../../application/events/inference/inference-client.ts';
import { eventsDatabase } from '../../../data/events/database.ts';
import { findCollection } from '../../../data/events/images/collections.ts';
import { facesByModel } from '../../../data/events/images/faces.ts';
import type { AppContext } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { inferenceOf } from '../inference/inference-of.ts';
import { notFound } from '../open-event.ts';
import { tenancyOf } from '../tenancy.ts';
import { jsonOf } from '../wire.ts';
import { CollectionName } from './collection-name.ts';

const ACCESS = { access: { credential: 'bearer', permission: 'faces:write' }, bucket: 'private' } as const;

const Model = z.object({ name: z.string(), version: z.string() });

const Reembedding = z
  .object({
    status: z.enum(['idle', 'running']),
    model: Model.nullable().openapi({ description: 'The model of now; null when it cannot be asked.' }),
    faces: z
      .array(Model.extend({ faces: z.int() }))
      .openapi({ description: 'Stored faces by the model that embedded them.' }),
    remaining: z.int().nullable().openapi({ description: 'Faces of other models than that of now.' }),
  })
  .openapi('Reembedding');

export function reembedRoutes(profile: Profile): void {
  start(profile);
  progress(profile);
}

/** POST /v1/collections/{name}/reembed: once however often it is asked while it runs. */
function start(profile: Profile): void {
  registerRoute(
    profile,
    ACCESS,
    createRoute({
      method: 'post',
      path: '/v1/collections/{name}/reembed',
      tags: ['collections'],
      summary: 'Embed the faces of a collection by the model of now',
      request: { params: z.object({ name: CollectionName }) },
      responses: { 202: jsonOf('It runs.', Reembedding) },
    }),
    async (c) => {
      const { tenant, organization } = tenancyOf(c);
      const open = await openCollection(c.env, tenant, c.req.valid('param').name);
      if (open === null) return failure(c, notFound('the collection'));
      await requestReembedding(c.env, open.collection, { tenant, organization, requestId: c.get('requestId') });
      return c.json(await read(c, open.collection.name), 202);
    },
  );
}

/** GET /v1/collections/{name}/reembed. */
function progress(profile: Profile): void {
  registerRoute(
    profile,
    ACCESS,
    createRoute({
      method: 'get',
      path: '/v1/collections/{name}/reembed',
      tags: ['collections'],
      summary: 'How far the embedding of a collection is',
      request: { params: z.object({ name: CollectionName }) },
      responses: { 200: jsonOf('Where it stands.', Reembedding) },
    }),
    async (c) => {
      const open = await openCollection(c.env, tenancyOf(c).tenant, c.req.valid('param').name);
      if (open === null) return failure(c, notFound('the collection'));
      return c.json(await read(c, open.collection.name), 200);
    },
  );
}

async function read(c: AppContext, name: string): Promise<z.infer<typeof Reembedding>> {
  const db = eventsDatabase(c.env.EVENTS_DB);
  const collection = await findCollection(db, tenancyOf(c).tenant, name);
  const [faces, current] = await Promise.all([
    collection === null ? [] : facesByModel(db, collection.id),
    currentModel(inferenceOf(c)),
  ]);
  const others = faces.filter((of) => of.name !== current?.name || of.version !== current.version);
  return {
    status: collection?.reembeddingAt == null ? 'idle' : 'running',
    model: current === null ? null : { name: current.name, version: current.version },
    faces,
    remaining: current === null ? null : others.reduce((total, of) => total + of.faces, 0),
  };
}
