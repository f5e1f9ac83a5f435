import { createRoute, z } from '@hono/zod-openapi';
import { database } from '../../../data/database.ts';
import { findSecurityOf } from '../../../data/partner/securities.ts';
import { partnerOf } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { jsonOf } from '../../responses/wire.ts';
import { PARTNER_READ } from '../partner-route.ts';
import { noSuchSecurity, SecurityView, securityOnWire } from './security-schema.ts';

/** GET /v1/securities/{id} (P-SEC-03). */
export function getSecurityRoute(partner: Profile): void {
  registerRoute(
    partner,
    PARTNER_READ,
    createRoute({
      method: 'get',
      path: '/v1/securities/{id}',
      tags: ['securities'],
      summary: 'A cross-listed security',
      request: { params: z.object({ id: z.uuid() }) },
      responses: { 200: jsonOf('The security.', SecurityView) },
    }),
    async (c) => {
      const security = await findSecurityOf(database(c.env.DB), partnerOf(c), c.req.valid('param').id);
      if (security === null) return failure(c, noSuchSecurity());
      return c.json(securityOnWire(security), 200);
    },
  );
}
