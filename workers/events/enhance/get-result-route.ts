import { createRoute, z } from '@hono/zod-openapi';
import { enhancementScope, resultPlace } from '../../../application/events/enhancement/enhancement-scope.ts';
import { eventsDatabase } from '../../../data/events/database.ts';
import { findJob } from '../../../data/events/images/enhancement-jobs.ts';
import { getImage } from '../../../data/events/images/sealed-images.ts';
import { openScopeKeys } from '../../../data/events/keys/r2-scope-keys.ts';
import { apiError } from '../../../protocol/errors/api-error.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { notFound } from '../open-event.ts';
import { isSigned } from './result-link.ts';

/**
 * GET /v1/enhance/{job_id}/result: the enhanced image, to whoever has a link of `result_url` that has not expired. Without a right
 * signature nothing is said of the job, not even whether it exists.
 */
export function getResultRoute(profile: Profile): void {
  registerRoute(
    profile,
    { access: { credential: 'public' }, bucket: 'public' },
    createRoute({
      method: 'get',
      path: '/v1/enhance/{job_id}/result',
      tags: ['enhancement'],
      summary: 'The enhanced image, by a signed link',
      request: {
        params: z.object({ job_id: z.string() }),
        query: z.object({ expires: z.coerce.number().pipe(z.int().positive()), signature: z.string().max(100) }),
      },
      responses: {
        200: { description: 'The image.', content: { 'image/png': { schema: { type: 'string', format: 'binary' } } } },
      },
    }),
    async (c) => {
      const { job_id: jobId } = c.req.valid('param');
      const { expires, signature } = c.req.valid('query');
      const job = await findJob(eventsDatabase(c.env.EVENTS_DB), jobId);
      const signed = await isSigned(c.env, { tenant: job?.tenant ?? '', jobId, expires }, signature);
      if (job === null || !signed) return failure(c, apiError('FORBIDDEN', 'the link is not valid'));
      if (expires <= Date.now())
        return failure(c, apiError('FORBIDDEN', 'the link has expired', { reason: 'expired' }));
      const key = await openScopeKeys(c.env.EVENT_KEYS, c.env.EVENTS_MASTER_KEY).open(enhancementScope(job.tenant));
      const image = key === null ? null : await getImage(c.env.EVENT_IMAGES, key, resultPlace(job.tenant, jobId));
      if (image === null) return failure(c, notFound('the image'));
      return c.body(image, 200, { 'content-type': 'image/png', 'content-length': String(image.length) });
    },
  );
}
