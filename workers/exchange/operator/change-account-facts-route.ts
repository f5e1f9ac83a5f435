import { createRoute, z } from '@hono/zod-openapi';
import { applyFacts } from '../../../application/operator/apply-facts.ts';
import { noSuchAccount } from '../../../application/operator/not-found.ts';
import { findAccount } from '../../../data/accounts/accounts.ts';
import { database } from '../../../data/database.ts';
import { complianceFactsOf } from '../../../domain/accounts/account.ts';
import { factsThatGive } from '../../../domain/accounts/facts-that-give.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { enveloped, envelopeOf } from '../../responses/envelope.ts';
import { failure } from '../../responses/failure.ts';
import { FactsChangeView, FactsRequest, factsChangeView, factsOf } from './account-schema.ts';
import { actionOf } from './action-of.ts';
import { OPERATOR_WRITE_OF_OTHERS } from './operator-route.ts';
import { weigh } from './weighty-call.ts';

/** PATCH /v1/operator/accounts/{id}/facts: KYC, accreditation, residence, means. A revocation cancels open orders. */
export function changeAccountFactsRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    OPERATOR_WRITE_OF_OTHERS,
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
      const action = actionOf(c, body.reason);
      const facts = factsOf(body);
      const account = await findAccount(database(c.env.DB), id);
      if (account === null) return failure(c, noSuchAccount());
      const waits = factsThatGive(complianceFactsOf(account), facts) ? await weigh(c, body, action) : null;
      if (waits !== null) return failure(c, waits);
      const applied = await applyFacts(c.env, id, facts, action);
      return applied.ok ? c.json(enveloped(factsChangeView(id, applied.value)), 200) : failure(c, applied.error);
    },
  );
}
