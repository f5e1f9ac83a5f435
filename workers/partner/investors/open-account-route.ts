import { createRoute, z } from '@hono/zod-openapi';
import { openInvestorAccount } from '../../../application/partner/investors/introduce-investor.ts';
import { database } from '../../../data/database.ts';
import { findInvestorOf, listInvestorAccounts } from '../../../data/partner/investors.ts';
import { partnerOf } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { jsonOf } from '../../responses/wire.ts';
import { partnerActionOf } from '../action-of.ts';
import { accountOnWire, InvestorAccountView, noSuchInvestor } from './investor-schema.ts';

/** POST /v1/investors/{id}/accounts. */
export function openAccountRoute(partner: Profile): void {
  registerRoute(
    partner,
    {
      access: { credential: 'partner', roles: ['cross_lister'] },
      bucket: 'private',
      idempotent: true,
      errors: ['NOT_FOUND', 'CONFLICT'],
    },
    createRoute({
      method: 'post',
      path: '/v1/investors/{id}/accounts',
      tags: ['investors'],
      summary: 'Open an account of an investor',
      description: 'What its checks have found holds of it. An operator of the venue credits what is paid in.',
      request: { params: z.object({ id: z.uuid() }) },
      responses: { 201: jsonOf('The account.', InvestorAccountView) },
    }),
    async (c) => {
      const db = database(c.env.DB);
      const investor = await findInvestorOf(db, partnerOf(c).organization, c.req.valid('param').id);
      if (investor === null) return failure(c, noSuchInvestor());
      const opened = await openInvestorAccount(c.env, investor, partnerActionOf(c));
      if (!opened.ok) return failure(c, opened.error);
      const account = (await listInvestorAccounts(db, [investor.id])).find(({ id }) => id === opened.value.id);
      if (account === undefined) throw new Error(`account ${opened.value.id} was opened and is not there`);
      return c.json(accountOnWire(account), 201);
    },
  );
}
