import { createRoute, z } from '@hono/zod-openapi';
import { notFound } from '../../../application/events/not-found.ts';
import { database } from '../../../data/database.ts';
import { eventsDatabase } from '../../../data/events/database.ts';
import {
  bindCredential,
  type CameraCredential,
  CREDENTIALS_PER_CAMERA_MAX,
  credentialsOf,
  endCredential,
  takeBindingBack,
} from '../../../data/events/sites/camera-credentials.ts';
import { findCamera } from '../../../data/events/sites/cameras.ts';
import { TokenEnded, tokenStandsNow } from '../../../data/identity/bearer.ts';
import { apiError } from '../../../protocol/errors/api-error.ts';
import { bearerOf, principalOf } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { isoTime, jsonOf } from '../../responses/wire.ts';
import { tenancyOf } from '../tenancy.ts';

const CameraCredentialRecord = z
  .object({
    user_id: z.string().openapi({ description: 'Whose tokens may send frames as the camera.' }),
    bound_by: z.string(),
    created_at: z.iso.datetime(),
  })
  .openapi('CameraCredential');

const ACCESS = { access: { credential: 'bearer', permission: 'cameras:write' }, bucket: 'private' } as const;
const CREDENTIAL_PARAMS = z.object({ id: z.string(), user_id: z.string().min(1).max(64) });

/** GET /cameras/{id}/credentials, PUT and DELETE /cameras/{id}/credentials/{user_id}: who may send frames as the camera. */
export function cameraCredentialRoutes(events: Profile): void {
  registerRoute(
    events,
    ACCESS,
    createRoute({
      method: 'get',
      path: '/cameras/{id}/credentials',
      tags: ['cameras'],
      summary: 'List whose credentials are bound to a camera',
      request: { params: z.object({ id: z.string() }) },
      responses: { 200: jsonOf('By user id.', z.object({ credentials: z.array(CameraCredentialRecord) })) },
    }),
    async (c) => {
      const db = eventsDatabase(c.env.EVENTS_DB);
      const camera = await findCamera(db, tenancyOf(c).tenant, c.req.valid('param').id);
      if (camera === null) return failure(c, notFound('camera'));
      return c.json({ credentials: (await credentialsOf(db, camera.id)).map(credentialView) }, 200);
    },
  );

  registerRoute(
    events,
    { ...ACCESS, freshFactor: true, errors: ['CONFLICT'] },
    createRoute({
      method: 'put',
      path: '/cameras/{id}/credentials/{user_id}',
      tags: ['cameras'],
      summary: 'Let the credentials of a user send frames as a camera',
      request: { params: CREDENTIAL_PARAMS },
      responses: { 200: jsonOf('By user id.', z.object({ credentials: z.array(CameraCredentialRecord) })) },
    }),
    async (c) => {
      const db = eventsDatabase(c.env.EVENTS_DB);
      const { tenant } = tenancyOf(c);
      const { id, user_id: userId } = c.req.valid('param');
      const camera = await findCamera(db, tenant, id);
      if (camera === null) return failure(c, notFound('camera'));
      const credential = {
        tenant,
        cameraId: camera.id,
        eventId: camera.eventId,
        userId,
        boundBy: principalOf(c).userId,
        createdAt: Date.now(),
      };
      if (!(await bindCredential(db, credential))) return failure(c, TOO_MANY);
      if (!(await tokenStandsNow(database(c.env.DB), bearerOf(c)))) {
        await takeBindingBack(db, credential);
        throw new TokenEnded();
      }
      return c.json({ credentials: (await credentialsOf(db, camera.id)).map(credentialView) }, 200);
    },
  );

  registerRoute(
    events,
    ACCESS,
    createRoute({
      method: 'delete',
      path: '/cameras/{id}/credentials/{user_id}',
      tags: ['cameras'],
      summary: 'End what the credentials of a user may do as a camera, at once',
      request: { params: CREDENTIAL_PARAMS },
      responses: { 204: { description: 'They send no frame as this camera any more.' } },
    }),
    async (c) => {
      const db = eventsDatabase(c.env.EVENTS_DB);
      const { tenant } = tenancyOf(c);
      const { id, user_id: userId } = c.req.valid('param');
      const camera = await findCamera(db, tenant, id);
      if (camera === null) return failure(c, notFound('camera'));
      await endCredential(db, { tenant, cameraId: camera.id, userId });
      return c.body(null, 204);
    },
  );
}

const TOO_MANY = apiError('CONFLICT', 'the camera has as many credentials as it may', {
  credentials_max: CREDENTIALS_PER_CAMERA_MAX,
});

function credentialView({ userId, boundBy, createdAt }: CameraCredential): z.infer<typeof CameraCredentialRecord> {
  return { user_id: userId, bound_by: boundBy, created_at: isoTime(createdAt) };
}
