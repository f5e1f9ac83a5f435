import { createRoute, z } from '@hono/zod-openapi';
import { eventsDatabase } from '../../../data/events/database.ts';
import { createCamera, findCamera, listCameras } from '../../../data/events/sites/cameras.ts';
import { findRoom } from '../../../data/events/sites/rooms.ts';
import { CAMERA_TYPES } from '../../../domain/events/camera-type.ts';
import { resourceIdOf } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { limitQuery, pageOf, rowsToRead } from '../../responses/paging.ts';
import { notFound } from '../open-event.ts';
import { tenancyOf } from '../tenancy.ts';
import { bodyOf, jsonOf } from '../wire.ts';
import { CameraRecord, cameraViews } from './camera-schema.ts';

const CameraRequest = z
  .object({
    room_id: z.string().min(1).max(64),
    name: z.string().trim().min(1).max(200),
    type: z.enum(CAMERA_TYPES),
    source: z
      .string()
      .trim()
      .min(1)
      .max(2_048)
      .openapi({ description: 'Stream address.', example: 'rtsp://10.0.0.7/door' }),
  })
  .openapi('CameraRequest');

export function registerCameraRoutes(events: Profile): void {
  registerListCameras(events);
  registerCreateCamera(events);
  registerGetCamera(events);
}

/** GET /cameras. */
function registerListCameras(events: Profile): void {
  registerRoute(
    events,
    { access: { credential: 'bearer', permission: 'events:read' }, bucket: 'private' },
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

/** POST /cameras. */
function registerCreateCamera(events: Profile): void {
  registerRoute(
    events,
    { access: { credential: 'bearer', permission: 'cameras:write' }, bucket: 'private', idempotent: true },
    createRoute({
      method: 'post',
      path: '/cameras',
      tags: ['cameras'],
      summary: 'Create a camera of a room',
      request: { body: bodyOf(CameraRequest) },
      responses: { 201: jsonOf('The camera.', CameraRecord) },
    }),
    async (c) => {
      const { room_id: roomId, ...body } = c.req.valid('json');
      const camera = { id: resourceIdOf(c), tenant: tenancyOf(c).tenant, roomId, ...body, createdAt: Date.now() };
      const created = await createCamera(eventsDatabase(c.env.EVENTS_DB), camera);
      if (created === null) return failure(c, notFound('room'));
      const [view] = await cameraViews(c, [created]);
      return c.json(view!, 201);
    },
  );
}

/** GET /cameras/{id}. */
function registerGetCamera(events: Profile): void {
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
