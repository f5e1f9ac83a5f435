import { createRoute } from '@hono/zod-openapi';
import { violationsIn } from '../../domain/console/policy-violation.ts';
import { log } from '../../durable-objects/log/log.ts';
import { apiError } from '../../protocol/errors/api-error.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { failure } from '../responses/failure.ts';

const BYTES_MAX = 8 * 1_024;

/** POST /v1/policy-reports: what a browser says of a page that its policy kept from something. Anybody may send one, so it is a line of the log and no more. */
export function reportViolationRoute(profile: Profile): void {
  registerRoute(
    profile,
    {
      access: { credential: 'console', session: 'none' },
      bucket: 'public',
      takesBody: true,
      bodyBytesMax: BYTES_MAX,
      fromElsewhere: true,
    },
    createRoute({
      method: 'post',
      path: '/v1/policy-reports',
      summary: 'Report a violation of the content security policy',
      description: 'Browsers send it by themselves, as `application/csp-report` or `application/reports+json`.',
      responses: { 204: { description: 'Noted.' } },
    }),
    async (c) => {
      const violations = violationsIn(new TextDecoder().decode(await c.req.arrayBuffer()));
      if (violations === null) return failure(c, apiError('VALIDATION_ERROR', 'this is no report of a violation'));
      for (const violation of violations) log('warn', 'policy violation', { ...violation });
      return c.body(null, 204);
    },
  );
}
