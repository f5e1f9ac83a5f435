import { createRoute, z } from '@hono/zod-openapi';
import { database } from '../../../data/database.ts';
import { listInvestorAccounts, listInvestors } from '../../../data/partner/investors.ts';
import { partnerOf } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { moreOf, moreView } from '../../responses/link-next-page.ts';
import { limitQuery, pageOf, rowsToRead } from '../../responses/paging.ts';
import { jsonOf } from '../../responses/wire.ts';
import { InvestorView, investorOnWire } from './investor-schema.ts';

/** GET /v1/investors. */
export function listInvestorsRoute(partner: Profile): void {
  registerRoute(
    partner,
    { access: { credential: 'partner', roles: ['cross_lister'] }, bucket: 'private' },
    createRoute({
      method: 'get',
      path: '/v1/investors',
      tags: ['investors'],
      summary: 'Investors that you have introduced, oldest first',
      request: { query: z.object({ limit: limitQuery, cursor: z.uuid().optional() }) },
      responses: { 200: jsonOf('The investors.', z.object({ investors: z.array(InvestorView), ...moreView })) },
    }),
    async (c) => {
      const { limit, cursor } = c.req.valid('query');
      const { organization } = partnerOf(c);
      const db = database(c.env.DB);
      const found = await listInvestors(db, { organization, after: cursor ?? null, limit: rowsToRead(limit) });
      const page = pageOf(c, found, limit, (last) => last.id);
      const accounts = Map.groupBy(
        await listInvestorAccounts(
          db,
          page.map(({ id }) => id),
        ),
        ({ investor }) => investor,
      );
      return c.json(
        { investors: page.map((investor) => investorOnWire(investor, accounts.get(investor.id) ?? [])), ...moreOf(c) },
        200,
      );
    },
  );
}
