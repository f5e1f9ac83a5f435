import { createRoute, z } from '@hono/zod-openapi';
import { accountWithFamily } from '../../../application/operator/family.ts';
import { listFamilyRelations } from '../../../data/accounts/family.ts';
import { database } from '../../../data/database.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { enveloped, envelopeOf } from '../../responses/envelope.ts';
import { failure } from '../../responses/failure.ts';
import { FamilyList, familyView } from './family-schema.ts';
import { OPERATOR_READ, readableOwner } from './operator-route.ts';

/** GET /v1/operator/users/{id}/family: an operator of another organization than the venue reads their own organization's. */
export function listFamilyRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    { ...OPERATOR_READ, errors: ['NOT_FOUND'] },
    createRoute({
      method: 'get',
      path: '/v1/operator/users/{id}/family',
      tags: ['operator'],
      summary: 'Family relations of a user, from either side, those that have ended included',
      request: { params: z.object({ id: z.string() }) },
      responses: { 200: envelopeOf('Newest first.', FamilyList) },
    }),
    async (c) => {
      const reader = readableOwner(c);
      const account = await accountWithFamily(c.env, c.req.valid('param').id, reader);
      if (!account.ok) return failure(c, account.error);
      const relations = await listFamilyRelations(database(c.env.DB), account.value.id);
      return c.json(enveloped({ relations: relations.map((relation) => familyView(relation, reader)) }), 200);
    },
  );
}
