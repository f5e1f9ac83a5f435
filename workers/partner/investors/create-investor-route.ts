import { createRoute, z } from '@hono/zod-openapi';
import { introduceInvestor } from '../../../application/partner/investors/introduce-investor.ts';
import { database } from '../../../data/database.ts';
import { listInvestorAccounts } from '../../../data/partner/investors.ts';
import { INVESTOR_TYPES } from '../../../domain/partner/compliance.ts';
import { isCountryCode, NO_COUNTRY } from '../../../domain/partner/country-code.ts';
import { partnerOf } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { lineOfText } from '../../responses/line-of-text.ts';
import { bodyOf, jsonOf } from '../../responses/wire.ts';
import { partnerActionOf } from '../action-of.ts';
import { InvestorView, investorOnWire } from './investor-schema.ts';

const InvestorRequest = z
  .strictObject({
    name: lineOfText(200).openapi({ example: 'Juniper Capital LP' }),
    account_type: z.enum(INVESTOR_TYPES),
    country: z.string().refine(isCountryCode, NO_COUNTRY).openapi({
      description: 'ISO 3166-1 alpha-2, of residence or incorporation.',
      example: 'US',
      pattern: '^[A-Z]{2}$',
    }),
    us_person: z.boolean().openapi({
      description:
        'Whether it is a US person, 17 CFR 230.902(k). Who resides or is incorporated in the United States is one: `country` US and false is refused.',
    }),
  })
  .refine(({ country, us_person }) => country !== 'US' || us_person, {
    path: ['us_person'],
    message: 'who resides or is incorporated in the United States is a US person',
  })
  .openapi('InvestorRequest');

/** POST /v1/investors. */
export function createInvestorRoute(partner: Profile): void {
  registerRoute(
    partner,
    {
      access: { credential: 'partner', roles: ['cross_lister'] },
      bucket: 'private',
      idempotent: 'unstored',
      errors: ['CONFLICT', 'SERVICE_UNAVAILABLE'],
    },
    createRoute({
      method: 'post',
      path: '/v1/investors',
      tags: ['investors'],
      summary: 'Introduce an investor',
      description: 'Its checks begin at once; accounts are opened by POST /v1/investors/{id}/accounts.',
      request: { body: bodyOf(InvestorRequest) },
      responses: { 201: jsonOf('The investor.', InvestorView) },
    }),
    async (c) => {
      const { name, account_type, country, us_person } = c.req.valid('json');
      const { organization } = partnerOf(c);
      const introduced = { organization, name, accountType: account_type, country, usPerson: us_person };
      const investor = await introduceInvestor(c.env, introduced, partnerActionOf(c));
      if (!investor.ok) return failure(c, investor.error);
      const accounts = await listInvestorAccounts(database(c.env.DB), [investor.value.id]);
      return c.json(investorOnWire(investor.value, accounts), 201);
    },
  );
}
