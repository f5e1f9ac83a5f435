import { createRoute, z } from '@hono/zod-openapi';
import { notFound } from '../../../application/events/not-found.ts';
import { tooMany } from '../../../application/events/too-many.ts';
import { eventsDatabase } from '../../../data/events/database.ts';
import { createCamera } from '../../../data/events/sites/cameras.ts';
import { findRoom } from '../../../data/events/sites/rooms.ts';
import { CAMERA_TYPES } from '../../../domain/events/camera-type.ts';
import { resourceIdOf } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { lineOfText } from '../../responses/line-of-text.ts';
import { bodyOf, jsonOf } from '../../responses/wire.ts';
import { tenancyOf } from '../tenancy.ts';
import { CameraRecord, cameraViews } from './camera-schema.ts';

const CameraRequest = z
  .strictObject({
    room_id: z.string().min(1).max(64),
    name: lineOfText(200),
    type: z.enum(CAMERA_TYPES),
    source: lineOfText(2_048).openapi({ description: 'Stream address.', example: 'rtsp://10.0.0.7/door' }),
  })
  .openapi('CameraRequest');

/** POST /cameras. */
export function createCameraRoute(events: Profile): void {
  registerRoute(
    events,
    {
      access: { credential: 'bearer', permission: 'cameras:write' },
      bucket: 'private',
      idempotent: true,
      errors: ['NOT_FOUND', 'CONFLICT'],
    },
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
      const db = eventsDatabase(c.env.EVENTS_DB);
      const created = await createCamera(db, camera);
      if (created === null) {
        const room = await findRoom(db, camera.tenant, roomId);
        return failure(c, room === null ? notFound('room') : tooMany('cameras_max'));
      }
      const [view] = await cameraViews(c, [created]);
      return c.json(view!, 201);
    },
  );
}
