import { createRoute, z } from '@hono/zod-openapi';
import { notFound } from '../../../application/events/not-found.ts';
import { eventsDatabase } from '../../../data/events/database.ts';
import { listCameras } from '../../../data/events/sites/cameras.ts';
import { findRoom } from '../../../data/events/sites/rooms.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { limitQuery, pageOf, rowsToRead } from '../../responses/paging.ts';
import { jsonOf } from '../../responses/wire.ts';
import { tenancyOf } from '../tenancy.ts';
import { CameraRecord, cameraViews } from './camera-schema.ts';

/** GET /cameras. */
export function listCamerasRoute(events: Profile): void {
  registerRoute(
    events,
    { access: { credential: 'bearer', permission: 'events:read' }, bucket: 'private', errors: ['NOT_FOUND'] },
    createRoute({
      method: 'get',
      path: '/cameras',
      tags: ['cameras'],
      summary: 'Cameras of a room',
      request: { query: z.object({ room_id: z.string(), limit: limitQuery, cursor: z.uuid().optional() }) },
      responses: { 200: jsonOf('The cameras.', z.object({ cameras: z.array(CameraRecord) })) },
    }),
    async (c) => {
      const { room_id: roomId, limit, cursor = null } = c.req.valid('query');
      const db = eventsDatabase(c.env.EVENTS_DB);
      if ((await findRoom(db, tenancyOf(c).tenant, roomId)) === null) return failure(c, notFound('room'));
      const found = await listCameras(db, { roomId, after: cursor, limit: rowsToRead(limit) });
      return c.json(
        {
          cameras: await cameraViews(
            c,
            pageOf(c, found, limit, (last) => last.id),
          ),
        },
        200,
      );
    },
  );
}
