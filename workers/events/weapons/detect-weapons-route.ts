import { createRoute, z } from '@hono/zod-openapi';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { BoxSchema } from '../faces/detected-face-schema.ts';
import { FORM_BYTES_MAX, IMAGE_BYTES_MAX, ImagePart, imageBytesOf } from '../image-part.ts';
import { inferenceFailure } from '../inference/inference-failure.ts';
import { inferenceOf } from '../inference/inference-of.ts';
import { jsonOf } from '../wire.ts';

const Weapons = z
  .object({
    detections: z.array(
      z.object({ class: z.enum(['Weapon', 'Knife', 'Gun']), confidence: z.number(), bbox: BoxSchema }),
    ),
    weapon_detected: z.boolean(),
  })
  .openapi('WeaponDetections');

/** POST /v1/weapons. Without an installed model it is MODEL_UNAVAILABLE, never "no weapon". */
export function detectWeaponsRoute(profile: Profile): void {
  registerRoute(
    profile,
    {
      access: { credential: 'bearer', permission: 'weapons:detect' },
      bucket: 'private',
      bodyBytesMax: IMAGE_BYTES_MAX + FORM_BYTES_MAX,
    },
    createRoute({
      method: 'post',
      path: '/v1/weapons',
      tags: ['weapons'],
      summary: 'Detect weapons in an image',
      request: {
        body: { required: true, content: { 'multipart/form-data': { schema: z.object({ image: ImagePart }) } } },
      },
      responses: { 200: jsonOf('Weapons that the image shows.', Weapons) },
    }),
    async (c) => {
      const image = await imageBytesOf(c.req.valid('form').image);
      if (!image.ok) return failure(c, image.error);
      const analysis = await inferenceOf(c).weapons(image.bytes);
      if (!analysis.ok) return inferenceFailure(c, analysis.failure);
      const detections = analysis.value.detections.map(({ class: kind, confidence, bbox }) => ({
        class: kind,
        confidence,
        bbox: [...bbox] as [number, number, number, number],
      }));
      return c.json({ detections, weapon_detected: detections.length > 0 }, 200);
    },
  );
}
