import { createRoute, z } from '@hono/zod-openapi';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { FactsRequest, factsOf } from './account-schema.ts';
import { applyFacts, FactsChangeView } from './apply-facts.ts';
import { enveloped, OPERATOR_WRITE, venueOnly } from './operator-route.ts';

/** PATCH /v1/operator/accounts/{id}/facts: KYC, accreditation, residence, means. A revocation cancels open orders. */
export function changeAccountFactsRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    OPERATOR_WRITE,
    createRoute({
      method: 'patch',
      path: '/v1/operator/accounts/{id}/facts',
      tags: ['operator'],
      summary: 'Set compliance facts of an account',
      request: {
        params: z.object({ id: z.string() }),
        body: { required: true, content: { 'application/json': { schema: FactsRequest } } },
      },
      responses: enveloped('The facts before and after, and the orders that were cancelled.', FactsChangeView),
    }),
    async (c) => {
      const refusal = venueOnly(c);
      if (refusal !== null) return failure(c, refusal);
      const outcome = await applyFacts(c, c.req.valid('param').id, factsOf(c.req.valid('json')));
      return outcome.ok ? c.json({ data: outcome.data, message: 'ok' as const }, 200) : failure(c, outcome.error);
    },
  );
}
