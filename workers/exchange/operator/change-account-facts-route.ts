import { createRoute, z } from '@hono/zod-openapi';
import { applyFacts } from '../../../application/operator/apply-facts.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { enveloped, envelopeOf } from '../../responses/envelope.ts';
import { failure } from '../../responses/failure.ts';
import { FactsChangeView, FactsRequest, factsChangeView, factsOf } from './account-schema.ts';
import { actionOf } from './action-of.ts';
import { OPERATOR_WRITE } from './operator-route.ts';

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
      responses: {
        200: envelopeOf('The facts before and after, and the orders that were cancelled.', FactsChangeView),
      },
    }),
    async (c) => {
      const { id } = c.req.valid('param');
      const body = c.req.valid('json');
      const applied = await applyFacts(c.env, id, factsOf(body), actionOf(c, body.reason));
      return applied.ok ? c.json(enveloped(factsChangeView(id, applied.value)), 200) : failure(c, applied.error);
    },
  );
}
