import { z } from '@hono/zod-openapi';
import type { Box } from '../../../domain/faces/face-quality.ts';

export const BoxSchema = z.tuple([z.number(), z.number(), z.number(), z.number()]).openapi({
  description: '[x1, y1, x2, y2] in pixels of the upright image.',
  type: 'array',
  items: { type: 'number' },
});

export function boxView([left, top, right, bottom]: Box): z.infer<typeof BoxSchema> {
  return [left, top, right, bottom];
}

/** A detected face (E-RES-08). */
export const DetectedFaceSchema = z
  .object({
    id: z.string(),
    bbox: BoxSchema,
    confidence: z.number(),
    quality: z.object({ blur: z.number(), yaw: z.number(), pitch: z.number(), face_size: z.number() }),
    embedding_stored: z.boolean(),
    rejection_reason: z
      .string()
      .optional()
      .openapi({ description: 'Present when embedding_stored is false: the rule, the measured value, the limit.' }),
  })
  .openapi('DetectedFace');
