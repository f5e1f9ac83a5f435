import { z } from '@hono/zod-openapi';
import type { Reembedding } from '../../../application/events/collections/reembedding.ts';

const Model = z.object({ name: z.string(), version: z.string() });

export const ReembeddingRecord = z
  .object({
    status: z.enum(['idle', 'running']),
    model: Model.nullable().openapi({ description: 'The model of now; null when it cannot be asked.' }),
    faces: z
      .array(Model.extend({ faces: z.int() }))
      .openapi({ description: 'Stored faces by the model that embedded them.' }),
    remaining: z.int().nullable().openapi({ description: 'Faces of other models than that of now.' }),
    failed: z.int().nullable().openapi({
      description:
        'Of these, faces that the model of now was to embed and could not. Nobody is found by them until the photos are embedded again.',
    }),
  })
  .openapi('Reembedding');

export function reembeddingView({
  isRunning,
  model,
  faces,
  remaining,
  failed,
}: Reembedding): z.infer<typeof ReembeddingRecord> {
  return {
    status: isRunning ? 'running' : 'idle',
    model: model === null ? null : { name: model.name, version: model.version },
    faces: [...faces],
    remaining,
    failed,
  };
}
