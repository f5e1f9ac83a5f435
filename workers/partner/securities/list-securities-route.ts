import { createRoute, z } from '@hono/zod-openapi';
import { database } from '../../../data/database.ts';
import { listSecurities } from '../../../data/partner/securities.ts';
import { SECURITY_STATES } from '../../../domain/partner/security.ts';
import { partnerOf } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { moreOf, moreView } from '../../responses/link-next-page.ts';
import { limitQuery, pageOf, rowsToRead } from '../../responses/paging.ts';
import { jsonOf } from '../../responses/wire.ts';
import { PARTNER_READ } from '../partner-route.ts';
import { SecurityView, securityOnWire } from './security-schema.ts';

/** GET /v1/securities (P-SEC-02): a lister's own; a transfer agent's those that name it. */
export function listSecuritiesRoute(partner: Profile): void {
  registerRoute(
    partner,
    PARTNER_READ,
    createRoute({
      method: 'get',
      path: '/v1/securities',
      tags: ['securities'],
      summary: 'Your cross-listed securities',
      description:
        'Of a cross-lister its own, of a transfer agent those that propose or have it as their agent. Oldest first.',
      request: {
        query: z.object({ status: z.enum(SECURITY_STATES).optional(), limit: limitQuery, cursor: z.uuid().optional() }),
      },
      responses: { 200: jsonOf('The securities.', z.object({ securities: z.array(SecurityView), ...moreView })) },
    }),
    async (c) => {
      const { status, limit, cursor } = c.req.valid('query');
      const terms = { state: status ?? null, after: cursor ?? null, limit: rowsToRead(limit) };
      const found = await listSecurities(database(c.env.DB), partnerOf(c), terms);
      const page = pageOf(c, found, limit, (last) => last.id);
      return c.json({ securities: page.map(securityOnWire), ...moreOf(c) }, 200);
    },
  );
}
