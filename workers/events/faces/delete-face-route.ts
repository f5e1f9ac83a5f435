import { createRoute, z } from '@hono/zod-openapi';
import { deleteStoredFace } from '../../../application/events/faces/delete-stored-face.ts';
import { notFound } from '../../../application/events/not-found.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { tenancyOf } from '../tenancy.ts';

/** DELETE /v1/faces/{id}. */
export function deleteFaceRoute(events: Profile): void {
  registerRoute(
    events,
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
      const deleted = await deleteStoredFace(c.env, tenancyOf(c).tenant, c.req.valid('param').id);
      return deleted ? c.body(null, 204) : failure(c, notFound('the face'));
    },
  );
}
