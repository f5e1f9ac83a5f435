import { createRoute, z } from '@hono/zod-openapi';
import { database } from '../../../data/database.ts';
import { findVisibleInvestor, listInvestorAccounts } from '../../../data/partner/investors.ts';
import { partnerOf } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { jsonOf } from '../../responses/wire.ts';
import { PARTNER_READ } from '../partner-route.ts';
import { InvestorView, investorOnWire, noSuchInvestor } from './investor-schema.ts';

/** GET /v1/investors/{id}. */
export function getInvestorRoute(partner: Profile): void {
  registerRoute(
    partner,
    { ...PARTNER_READ, errors: ['NOT_FOUND'] },
    createRoute({
      method: 'get',
      path: '/v1/investors/{id}',
      tags: ['investors'],
      summary: 'An investor',
      description: 'For who has introduced it, and for the agent of a security that it holds or has traded.',
      request: { params: z.object({ id: z.uuid() }) },
      responses: { 200: jsonOf('The investor.', InvestorView) },
    }),
    async (c) => {
      const db = database(c.env.DB);
      const investor = await findVisibleInvestor(db, partnerOf(c), c.req.valid('param').id);
      if (investor === null) return failure(c, noSuchInvestor());
      return c.json(investorOnWire(investor, await listInvestorAccounts(db, [investor.id])), 200);
    },
  );
}
