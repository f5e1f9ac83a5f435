import { createRoute, z } from '@hono/zod-openapi';
import { database } from '../../../data/database.ts';
import { findSecurityOf, type Security } from '../../../data/partner/securities.ts';
import { effectiveRestrictions } from '../../../domain/partner/effective-restrictions.ts';
import { partnerOf } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { orNull } from '../../responses/or-null.ts';
import { jsonOf } from '../../responses/wire.ts';
import { RESTRICTIONS_IN_EFFECT } from '../examples.ts';
import { PARTNER_READ } from '../partner-route.ts';
import {
  AgentRestrictionsView,
  noSuchSecurity,
  RestrictionsView,
  restrictionsOnWire,
  statedOnWire,
} from './security-schema.ts';

/** What is in effect, as a restrictions object, and which of it who has stated. */
export const RestrictionsAnswer = RestrictionsView.extend({
  security_id: z.uuid(),
  lister_restrictions: RestrictionsView,
  agent_restrictions: orNull(AgentRestrictionsView),
}).openapi('RestrictionsInEffect', { example: RESTRICTIONS_IN_EFFECT });

export function restrictionsAnswer({
  id,
  restrictions,
  agentRestrictions,
}: Security): z.infer<typeof RestrictionsAnswer> {
  return {
    ...restrictionsOnWire(effectiveRestrictions(restrictions, agentRestrictions)),
    security_id: id,
    lister_restrictions: restrictionsOnWire(restrictions),
    agent_restrictions: agentRestrictions === null ? null : statedOnWire(agentRestrictions),
  };
}

/** GET /v1/securities/{id}/restrictions (P-TFR-12). */
export function getRestrictionsRoute(partner: Profile): void {
  registerRoute(
    partner,
    PARTNER_READ,
    createRoute({
      method: 'get',
      path: '/v1/securities/{id}/restrictions',
      tags: ['securities'],
      summary: 'Restrictions on transfers, in effect and as each has stated them',
      request: { params: z.object({ id: z.uuid() }) },
      responses: { 200: jsonOf('The restrictions.', RestrictionsAnswer) },
    }),
    async (c) => {
      const security = await findSecurityOf(database(c.env.DB), partnerOf(c), c.req.valid('param').id);
      return security === null ? failure(c, noSuchSecurity()) : c.json(restrictionsAnswer(security), 200);
    },
  );
}
