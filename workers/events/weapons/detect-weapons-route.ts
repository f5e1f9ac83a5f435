import { createRoute, z } from '@hono/zod-openapi';
import { detectWeapons } from '../../../application/events/weapons/detect-weapons.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { jsonOf } from '../../responses/wire.ts';
import { answerRefusal } from '../answer-refusal.ts';
import { BoxSchema, boxView } from '../faces/detected-face-schema.ts';
import { IMAGE_BODY_BYTES_MAX, ImagePart } from '../image-part.ts';
import { callerOf } from '../tenancy.ts';

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
      bodyBytesMax: IMAGE_BODY_BYTES_MAX,
    },
    createRoute({
      method: 'post',
      path: '/v1/weapons',
      tags: ['weapons'],
      summary: 'Detect weapons in an image',
      request: {
        body: { required: true, content: { 'multipart/form-data': { schema: z.strictObject({ image: ImagePart }) } } },
      },
      responses: { 200: jsonOf('Weapons that the image shows.', Weapons) },
    }),
    async (c) => {
      const analysis = await detectWeapons(c.env, callerOf(c), c.req.valid('form').image);
      if (!analysis.ok) return answerRefusal(c, analysis.error);
      const detections = analysis.value.detections.map(({ class: kind, confidence, bbox }) => ({
        class: kind,
        confidence,
        bbox: boxView(bbox),
      }));
      return c.json({ detections, weapon_detected: detections.length > 0 }, 200);
    },
  );
}
