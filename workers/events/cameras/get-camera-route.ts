import { createRoute, z } from '@hono/zod-openapi';
import { notFound } from '../../../application/events/not-found.ts';
import { eventsDatabase } from '../../../data/events/database.ts';
import { findCamera } from '../../../data/events/sites/cameras.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { jsonOf } from '../../responses/wire.ts';
import { tenancyOf } from '../tenancy.ts';
import { CameraRecord, cameraViews } from './camera-schema.ts';

/** GET /cameras/{id}. */
export function getCameraRoute(events: Profile): void {
  registerRoute(
    events,
    { access: { credential: 'bearer', permission: 'events:read' }, bucket: 'private' },
    createRoute({
      method: 'get',
      path: '/cameras/{id}',
      tags: ['cameras'],
      summary: 'A camera',
      request: { params: z.object({ id: z.string() }) },
      responses: { 200: jsonOf('The camera.', CameraRecord) },
    }),
    async (c) => {
      const camera = await findCamera(eventsDatabase(c.env.EVENTS_DB), tenancyOf(c).tenant, c.req.valid('param').id);
      if (camera === null) return failure(c, notFound('camera'));
      const [view] = await cameraViews(c, [camera]);
      return c.json(view!, 200);
    },
  );
}
