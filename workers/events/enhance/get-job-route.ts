import { createRoute, z } from '@hono/zod-openapi';
import {
  findEnhancement,
  linkToResult,
  type SignedLink,
} from '../../../application/events/enhancement/find-enhancement.ts';
import { notFound } from '../../../application/events/not-found.ts';
import { ENHANCEMENT_STATUSES } from '../../../domain/events/enhancement.ts';
import { type AppContext, principalOf } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { jsonOf } from '../../responses/wire.ts';
import { answerRefusal } from '../answer-refusal.ts';
import { tenancyOf } from '../tenancy.ts';

const Size = z
  .tuple([z.int(), z.int()])
  .nullable()
  .openapi({ type: ['array', 'null'], items: { type: 'integer' } });

const Job = z
  .object({
    job_id: z.string(),
    status: z.enum(ENHANCEMENT_STATUSES),
    progress: z.number().openapi({ description: '0 to 1.' }),
    result_url: z.string().nullable().openapi({
      description:
        'Of a completed job: a PNG, for whoever has the address, for fifteen minutes. The trail says who had it made.',
    }),
    original_size: Size.openapi({ description: '[width, height] of the upright image.' }),
    enhanced_size: Size,
    face_restoration: z
      .enum(['applied', 'no_face', 'unavailable'])
      .nullable()
      .openapi({ description: '`unavailable`: no model is installed; the image was upscaled without.' }),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
  })
  .openapi('EnhancementJob');

/** GET /v1/enhance/{job_id}. */
export function getJobRoute(profile: Profile): void {
  registerRoute(
    profile,
    { access: { credential: 'bearer', permission: 'images:enhance' }, bucket: 'private' },
    createRoute({
      method: 'get',
      path: '/v1/enhance/{job_id}',
      tags: ['enhancement'],
      summary: 'State and result of an enhancement job',
      request: { params: z.object({ job_id: z.string() }) },
      responses: { 200: jsonOf('The job.', Job) },
    }),
    async (c) => {
      const job = await findEnhancement(c.env, tenancyOf(c).tenant, c.req.valid('param').job_id);
      if (job === null) return failure(c, notFound('the job'));
      const link = job.status === 'completed' ? await linkToResult(c.env, job, principalOf(c).userId) : null;
      if (link?.ok === false) return answerRefusal(c, link.error);
      return c.json(
        {
          job_id: job.id,
          status: job.status,
          progress: job.progress,
          result_url: link === null ? null : resultUrl(c, link.value),
          original_size: sizeOf(job.originalWidth, job.originalHeight),
          enhanced_size: sizeOf(job.enhancedWidth, job.enhancedHeight),
          face_restoration: job.faceRestoration as z.infer<typeof Job>['face_restoration'],
          error: job.errorCode === null ? null : { code: job.errorCode, message: job.errorMessage ?? '' },
        },
        200,
      );
    },
  );
}

function resultUrl(c: AppContext, { expires, signature }: SignedLink): string {
  const url = new URL(c.req.url);
  url.pathname += '/result';
  url.search = new URLSearchParams({ expires: String(expires), signature }).toString();
  return url.href;
}

function sizeOf(width: number | null, height: number | null): [number, number] | null {
  return width === null || height === null ? null : [width, height];
}
