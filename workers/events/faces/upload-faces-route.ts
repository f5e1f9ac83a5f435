import { createRoute, z } from '@hono/zod-openapi';
import { useCollection } from '../../../application/events/collections/open-collection.ts';
import { storePhotos } from '../../../application/events/faces/store-photos.ts';
import { qualityRejection } from '../../../domain/faces/face-quality.ts';
import { numberedId } from '../../../domain/faces/numbered-id.ts';
import { apiError } from '../../../protocol/errors/api-error.ts';
import { detectedFace } from '../../../protocol/events/detected-face.ts';
import { resourceIdOf } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { CollectionName } from '../collections/collection-name.ts';
import { FORM_BYTES_MAX, IMAGE_BYTES_MAX, ImagePart, imageBytesOf } from '../image-part.ts';
import { inferenceFailure } from '../inference/inference-failure.ts';
import { inferenceOf } from '../inference/inference-of.ts';
import { notFound } from '../open-event.ts';
import { tenancyOf } from '../tenancy.ts';
import { jsonOf } from '../wire.ts';
import { DetectedFaceSchema } from './detected-face-schema.ts';

const UploadForm = z.object({ image: ImagePart, collection: CollectionName });

const StoredFaces = z
  .object({
    faces: z.array(DetectedFaceSchema),
    image_id: z.string(),
    faces_detected: z.int(),
    faces_stored: z.int(),
  })
  .openapi('StoredFaces');

/** POST /v1/faces: every face of a photo, of which those that pass the quality rules are stored. */
export function uploadFacesRoute(profile: Profile): void {
  registerRoute(
    profile,
    {
      access: { credential: 'bearer', permission: 'faces:write' },
      bucket: 'private',
      idempotent: true,
      bodyBytesMax: IMAGE_BYTES_MAX + FORM_BYTES_MAX,
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
      const form = c.req.valid('form');
      const image = await imageBytesOf(form.image);
      if (!image.ok) return failure(c, image.error);
      const [open, analysis] = await Promise.all([
        useCollection(c.env, tenancyOf(c).tenant, form.collection),
        inferenceOf(c).faces(image.bytes, 'qualified'),
      ]);
      if (open === null) return failure(c, notFound('the collection'));
      if (!analysis.ok) return inferenceFailure(c, analysis.failure);
      const { model, faces } = analysis.value;
      const id = resourceIdOf(c);
      const numbered = faces.map((face, at) => ({ id: numberedId(id, at + 1), face }));
      const qualified = numbered.filter(({ face }) => qualityRejection(face.quality) === null);
      if (
        qualified.length > 0 &&
        !(await storePhotos(c.env, open, model, [{ id, image: image.bytes, faces: qualified }]))
      ) {
        return failure(
          c,
          apiError('CONFLICT', 'the collection was deleted meanwhile, or the upload interrupted: repeat it'),
        );
      }
      return c.json(
        {
          faces: numbered.map((one) => detectedFace(one.id, one.face, null)),
          image_id: id,
          faces_detected: numbered.length,
          faces_stored: qualified.length,
        },
        200,
      );
    },
  );
}
