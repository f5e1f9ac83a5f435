import { createRoute, z } from '@hono/zod-openapi';
import { uploadFaces } from '../../../application/events/faces/upload-faces.ts';
import { resourceIdOf } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { jsonOf } from '../../responses/wire.ts';
import { answerRefusal } from '../answer-refusal.ts';
import { CollectionName } from '../collections/collection-name.ts';
import { IMAGE_BODY_BYTES_MAX, ImagePart } from '../image-part.ts';
import { callerOf } from '../tenancy.ts';
import { DetectedFaceSchema } from './detected-face-schema.ts';

const UploadForm = z.strictObject({ image: ImagePart, collection: CollectionName });

const StoredFaces = z
  .object({
    faces: z.array(DetectedFaceSchema),
    image_id: z.string(),
    faces_detected: z.int(),
    faces_stored: z.int(),
  })
  .openapi('StoredFaces');

/** POST /v1/faces: every face of a photo, of which those that pass the quality rules are stored. */
export function uploadFacesRoute(events: Profile): void {
  registerRoute(
    events,
    {
      access: { credential: 'bearer', permission: 'faces:write' },
      bucket: 'private',
      errors: ['NOT_FOUND', 'CONFLICT'],
      idempotent: true,
      bodyBytesMax: IMAGE_BODY_BYTES_MAX,
    },
    createRoute({
      method: 'post',
      path: '/v1/faces',
      tags: ['faces'],
      summary: 'Store the faces of a photo in a collection',
      request: { body: { required: true, content: { 'multipart/form-data': { schema: UploadForm } } } },
      responses: { 200: jsonOf('Every face that was found; each says whether it was stored.', StoredFaces) },
    }),
    async (c) => {
      const id = resourceIdOf(c);
      const uploaded = await uploadFaces(c.env, callerOf(c), { id, ...c.req.valid('form') });
      if (!uploaded.ok) return answerRefusal(c, uploaded.error);
      const { faces, stored } = uploaded.value;
      return c.json({ faces: [...faces], image_id: id, faces_detected: faces.length, faces_stored: stored }, 200);
    },
  );
}
