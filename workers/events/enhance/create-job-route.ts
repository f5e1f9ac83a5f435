import { createRoute, z } from '@hono/zod-openapi';
import { requestEnhancement } from '../../../application/events/enhancement/request-enhancement.ts';
import { ENHANCEMENT_LIMITS } from '../../../protocol/inference/wire.ts';
import { principalOf, resourceIdOf } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { jsonOf } from '../../responses/wire.ts';
import { answerRefusal } from '../answer-refusal.ts';
import { IMAGE_BODY_BYTES_MAX, ImagePart } from '../image-part.ts';
import { callerOf } from '../tenancy.ts';

const { fidelity_default, upscale_default, upscale_values } = ENHANCEMENT_LIMITS;

const EnhancementForm = z.strictObject({
  image: ImagePart,
  fidelity: z
    .string()
    .regex(/^\d+(\.\d+)?$/, 'must be a decimal such as 0.5')
    .transform(Number)
    .pipe(z.number().min(0).max(1))
    .default(fidelity_default)
    .openapi({
      type: 'number',
      minimum: 0,
      maximum: 1,
      default: fidelity_default,
      description: 'Of restored faces: 1 stays nearest to the image, 0 trusts the model most.',
    }),
  upscale: z
    .enum(upscale_values.map(String) as [string, ...string[]])
    .transform(Number)
    .default(upscale_default)
    .openapi({ type: 'integer', enum: [...upscale_values], default: upscale_default }),
});

const Accepted = z.object({ job_id: z.string(), status: z.literal('queued') }).openapi('EnhancementAccepted');

/** POST /v1/enhance: takes the image in, and answers before it is worked on. */
export function createJobRoute(profile: Profile): void {
  registerRoute(
    profile,
    {
      access: { credential: 'bearer', permission: 'images:enhance' },
      bucket: 'private',
      idempotent: true,
      bodyBytesMax: IMAGE_BODY_BYTES_MAX,
    },
    createRoute({
      method: 'post',
      path: '/v1/enhance',
      tags: ['enhancement'],
      summary: 'Restore faces in an image and upscale it',
      request: { body: { required: true, content: { 'multipart/form-data': { schema: EnhancementForm } } } },
      responses: { 202: jsonOf('The job, queued.', Accepted) },
    }),
    async (c) => {
      const id = resourceIdOf(c);
      const request = { id, ...c.req.valid('form'), createdBy: principalOf(c).userId };
      const queued = await requestEnhancement(c.env, callerOf(c), request);
      if (queued.ok) return c.json({ job_id: id, status: 'queued' as const }, 202);
      return answerRefusal(c, queued.error);
    },
  );
}
