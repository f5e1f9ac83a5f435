import { createRoute, z } from '@hono/zod-openapi';
import { readResult } from '../../../application/events/enhancement/read-result.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { wholeNumber } from '../../responses/whole-number.ts';

/**
 * GET /v1/enhance/{job_id}/result: the enhanced image, to whoever has a link of `result_url` that has not expired. Without a right
 * signature nothing is said of the job, not even whether it exists.
 */
export function getResultRoute(profile: Profile): void {
  registerRoute(
    profile,
    { access: { credential: 'public' }, bucket: 'public', errors: ['FORBIDDEN'] },
    createRoute({
      method: 'get',
      path: '/v1/enhance/{job_id}/result',
      tags: ['enhancement'],
      summary: 'The enhanced image, by a signed link',
      request: {
        params: z.object({ job_id: z.string() }),
        query: z.object({ expires: wholeNumber(1), signature: z.string().max(100) }),
      },
      responses: {
        200: { description: 'The image.', content: { 'image/png': { schema: { type: 'string', format: 'binary' } } } },
      },
    }),
    async (c) => {
      const image = await readResult(c.env, { jobId: c.req.valid('param').job_id, ...c.req.valid('query') });
      if (!image.ok) return failure(c, image.error);
      return c.body(image.value, 200, { 'content-type': 'image/png', 'content-length': String(image.value.length) });
    },
  );
}
