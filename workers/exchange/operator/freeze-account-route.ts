import { createRoute, z } from '@hono/zod-openapi';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { applyFacts, FactsChangeView } from './apply-facts.ts';
import { enveloped, OPERATOR_WRITE, venueOnly } from './operator-route.ts';

/** POST /v1/operator/accounts/{id}/freeze and /unfreeze: a frozen account places nothing, and its open orders are cancelled. */
export function freezeAccountRoute(exchange: Profile): void {
  for (const verb of ['freeze', 'unfreeze'] as const) {
    registerRoute(
      exchange,
      OPERATOR_WRITE,
      createRoute({
        method: 'post',
        path: `/v1/operator/accounts/{id}/${verb}`,
        tags: ['operator'],
        summary: verb === 'freeze' ? 'Freeze an account and cancel its open orders' : 'Lift the freeze of an account',
        request: { params: z.object({ id: z.string() }) },
        responses: enveloped('The facts before and after, and the orders that were cancelled.', FactsChangeView),
      }),
      async (c) => {
        const refusal = venueOnly(c);
        if (refusal !== null) return failure(c, refusal);
        const outcome = await applyFacts(c, c.req.valid('param').id, { frozen: verb === 'freeze' });
        return outcome.ok ? c.json({ data: outcome.data, message: 'ok' as const }, 200) : failure(c, outcome.error);
      },
    );
  }
}
