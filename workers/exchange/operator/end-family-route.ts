import { createRoute, z } from '@hono/zod-openapi';
import { endFamilyOfUser } from '../../../application/operator/family.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { enveloped, envelopeOf } from '../../responses/envelope.ts';
import { failure } from '../../responses/failure.ts';
import { actionOf } from './action-of.ts';
import { FamilyEndView, familyView } from './family-schema.ts';
import { OPERATOR_WRITE_OF_OTHERS, ReasonBody, readableOwner } from './operator-route.ts';

/** DELETE /v1/operator/users/{id}/family/{relation_id}: from either side. The record stays, with its end. */
export function endFamilyRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    OPERATOR_WRITE_OF_OTHERS,
    createRoute({
      method: 'delete',
      path: '/v1/operator/users/{id}/family/{relation_id}',
      tags: ['operator'],
      summary: 'End a family relation',
      description: 'Open orders of either that carry the other as family are cancelled.',
      request: {
        params: z.object({ id: z.string(), relation_id: z.string() }),
        body: { required: true, content: { 'application/json': { schema: ReasonBody } } },
      },
      responses: { 200: envelopeOf('The relation, and the orders that were cancelled.', FamilyEndView) },
    }),
    async (c) => {
      const { id: userId, relation_id: relationId } = c.req.valid('param');
      const { reason } = c.req.valid('json');
      const ended = await endFamilyOfUser(c.env, { userId, relationId, reason }, actionOf(c));
      if (!ended.ok) return failure(c, ended.error);
      const { relation, cancelled } = ended.value;
      const view = {
        relation: familyView(relation, readableOwner(c)),
        cancelledOrders: [...cancelled.orderIds],
        pendingOrderIds: [...cancelled.pendingOrderIds],
      };
      return c.json(enveloped(view), 200);
    },
  );
}
