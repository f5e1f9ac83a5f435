import { createRoute, z } from '@hono/zod-openapi';
import { raiseRateLimits } from '../../../application/identity/keys/raise-rate-limits.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { enveloped, envelopeOf } from '../../responses/envelope.ts';
import { failure } from '../../responses/failure.ts';
import { actorOf } from '../actor-of.ts';

const LIMIT_MAX = 1_000_000;
const limit = z.int().min(1).max(LIMIT_MAX);
const Limits = z.strictObject({
  public: limit.optional(),
  private: limit.optional(),
  orders: limit.optional(),
  cancels: limit.optional(),
  subscriptions: limit.optional(),
});

/** Text of JSON has no field that is undefined. */
type SetLimits = Readonly<Partial<Record<keyof z.infer<typeof Limits>, number>>>;

/** Sets the requests per window of a key, by an operator of the venue; buckets left out have their defaults (docs/design/identity.md#rate-limits). */
export function raiseLimitsRoute(iam: Profile): void {
  registerRoute(
    iam,
    {
      access: { credential: 'bearer', power: 'set_rate_limits' },
      bucket: 'private',
      freshFactor: true,
      neverOfOneself: true,
    },
    createRoute({
      method: 'put',
      path: '/v1/keys/{id}/rate-limits',
      summary: 'Set the rate limits of a key',
      request: {
        params: z.object({ id: z.string() }),
        body: { required: true, content: { 'application/json': { schema: Limits } } },
      },
      responses: {
        200: envelopeOf('Set', Limits),
      },
    }),
    async (c) => {
      const limits = c.req.valid('json') as SetLimits;
      const raised = await raiseRateLimits(c.env, actorOf(c), c.req.valid('param').id, limits);
      return raised.ok ? c.json(enveloped(limits), 200) : failure(c, raised.error);
    },
  );
}
