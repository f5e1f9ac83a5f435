import { createRoute, z } from '@hono/zod-openapi';
import { findManagedKey } from '../../../application/identity/find-managed-key.ts';
import { invalidateKey } from '../../../application/identity/invalidate-gates.ts';
import { database } from '../../../data/database.ts';
import { setApiKeyRateLimits } from '../../../data/identity/api-keys.ts';
import { apiError } from '../../../protocol/errors/api-error.ts';
import { principalOf } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';

const LIMIT_MAX = 1_000_000;
const limit = z.int().min(1).max(LIMIT_MAX);
const Limits = z.object({
  public: limit.exactOptional(),
  private: limit.exactOptional(),
  orders: limit.exactOptional(),
});

/** Sets the requests per window of a key, by an operator; buckets left out have their defaults (docs/design/identity.md#rate-limits). */
export function raiseLimitsRoute(iam: Profile): void {
  registerRoute(
    iam,
    { access: { credential: 'bearer', role: 'operator' }, bucket: 'private' },
    createRoute({
      method: 'put',
      path: '/v1/keys/{id}/rate-limits',
      summary: 'Set the rate limits of a key',
      request: {
        params: z.object({ id: z.string() }),
        body: { required: true, content: { 'application/json': { schema: Limits } } },
      },
      responses: {
        200: {
          description: 'Set',
          content: { 'application/json': { schema: z.object({ data: Limits, message: z.literal('ok') }) } },
        },
      },
    }),
    async (c) => {
      const key = await findManagedKey(c.env, principalOf(c), c.req.valid('param').id);
      if (key === null) return failure(c, apiError('NOT_FOUND', 'no such key'));
      const limits = c.req.valid('json');
      await setApiKeyRateLimits(database(c.env.DB), key.id, limits);
      await invalidateKey(c.env, key.id);
      return c.json({ data: limits, message: 'ok' as const }, 200);
    },
  );
}
