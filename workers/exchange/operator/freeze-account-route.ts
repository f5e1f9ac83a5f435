import { createRoute, z } from '@hono/zod-openapi';
import { applyFacts } from '../../../application/operator/apply-facts.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { enveloped, envelopeOf } from '../../responses/envelope.ts';
import { failure } from '../../responses/failure.ts';
import { FactsChangeView, factsChangeView } from './account-schema.ts';
import { actionOf } from './action-of.ts';
import { OPERATOR_STOP, OPERATOR_WRITE_OF_OTHERS, OptionalReasonBody } from './operator-route.ts';
import { weigh } from './weighty-call.ts';

/** POST /v1/operator/accounts/{id}/freeze and /unfreeze: a frozen account places nothing, and its open orders are cancelled. */
export function freezeAccountRoute(exchange: Profile): void {
  for (const verb of ['freeze', 'unfreeze'] as const) {
    registerRoute(
      exchange,
      verb === 'freeze' ? OPERATOR_STOP : OPERATOR_WRITE_OF_OTHERS,
      createRoute({
        method: 'post',
        path: `/v1/operator/accounts/{id}/${verb}`,
        tags: ['operator'],
        summary: verb === 'freeze' ? 'Freeze an account and cancel its open orders' : 'Lift the freeze of an account',
        request: {
          params: z.object({ id: z.string() }),
          body: { required: false, content: { 'application/json': { schema: OptionalReasonBody } } },
        },
        responses: {
          200: envelopeOf('The facts before and after, and the orders that were cancelled.', FactsChangeView),
        },
      }),
      async (c) => {
        const { id } = c.req.valid('param');
        const body = c.req.valid('json');
        const action = actionOf(c, body.reason);
        const waits = verb === 'freeze' ? null : await weigh(c, body, action);
        if (waits !== null) return failure(c, waits);
        const applied = await applyFacts(c.env, id, { frozen: verb === 'freeze' }, action);
        return applied.ok ? c.json(enveloped(factsChangeView(id, applied.value)), 200) : failure(c, applied.error);
      },
    );
  }
}
