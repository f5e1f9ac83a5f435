import { createRoute, z } from '@hono/zod-openapi';
import { createCamera } from '../../../application/events/sites/create-camera.ts';
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
      // The answer has the address, which is kept nowhere else in the clear.
      idempotent: 'unstored',
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
      const created = await createCamera(c.env, { id: resourceIdOf(c), tenant: tenancyOf(c).tenant, roomId, ...body });
      if (!created.ok) return failure(c, created.error);
      const [view] = await cameraViews(c, [created.value]);
      return c.json(view!, 201);
    },
  );
}
