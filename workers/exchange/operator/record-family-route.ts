import { createRoute, z } from '@hono/zod-openapi';
import { recordFamilyOfUser } from '../../../application/operator/family.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { enveloped, envelopeOf } from '../../responses/envelope.ts';
import { failure } from '../../responses/failure.ts';
import { actionOf } from './action-of.ts';
import { FamilyRequest, FamilyView, familyView } from './family-schema.ts';
import { OPERATOR_WRITE_OF_OTHERS, readableOwner } from './operator-route.ts';
import { weigh } from './weighty-call.ts';

/** POST /v1/operator/users/{id}/family: each of the two may then buy what the other may sell to family. */
export function recordFamilyRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    OPERATOR_WRITE_OF_OTHERS,
    createRoute({
      method: 'post',
      path: '/v1/operator/users/{id}/family',
      tags: ['operator'],
      summary: 'Record that two users are family',
      request: {
        params: z.object({ id: z.string() }),
        body: { required: true, content: { 'application/json': { schema: FamilyRequest } } },
      },
      responses: { 200: envelopeOf('The relation.', FamilyView) },
    }),
    async (c) => {
      const stated = { userId: c.req.valid('param').id, ...c.req.valid('json') };
      const action = actionOf(c);
      const waits = await weigh(c, c.req.valid('json'), action);
      if (waits !== null) return failure(c, waits);
      const recorded = await recordFamilyOfUser(c.env, stated, action);
      return recorded.ok
        ? c.json(enveloped(familyView(recorded.value, readableOwner(c))), 200)
        : failure(c, recorded.error);
    },
  );
}
