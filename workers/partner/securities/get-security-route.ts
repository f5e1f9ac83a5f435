import { createRoute, z } from '@hono/zod-openapi';
import { readQuote } from '../../../application/market-data/read-quote.ts';
import { database } from '../../../data/database.ts';
import { findSecurityOf } from '../../../data/partner/securities.ts';
import { partnerOf } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { orNull } from '../../responses/or-null.ts';
import { jsonOf } from '../../responses/wire.ts';
import { SECURITY_WITH_QUOTE } from '../examples.ts';
import { PARTNER_READ } from '../partner-route.ts';
import { noSuchSecurity, QuoteView, SecurityView, securityOnWire } from './security-schema.ts';

const SecurityWithQuote = SecurityView.extend({ quote: orNull(QuoteView) }).openapi('SecurityWithQuote', {
  example: SECURITY_WITH_QUOTE,
});

/** GET /v1/securities/{id} (P-SEC-03). */
export function getSecurityRoute(partner: Profile): void {
  registerRoute(
    partner,
    PARTNER_READ,
    createRoute({
      method: 'get',
      path: '/v1/securities/{id}',
      tags: ['securities'],
      summary: 'A cross-listed security with its live quote',
      request: { params: z.object({ id: z.uuid() }) },
      responses: { 200: jsonOf('The security.', SecurityWithQuote) },
    }),
    async (c) => {
      const security = await findSecurityOf(database(c.env.DB), partnerOf(c), c.req.valid('param').id);
      if (security === null) return failure(c, noSuchSecurity());
      const quote = security.market === null ? null : await readQuote(c.env, security.market);
      return c.json({ ...securityOnWire(security), quote }, 200);
    },
  );
}
