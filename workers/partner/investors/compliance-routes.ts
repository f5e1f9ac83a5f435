import { createRoute, z } from '@hono/zod-openapi';
import { rescreen } from '../../../application/partner/investors/rescreen.ts';
import { database } from '../../../data/database.ts';
import { listChecks } from '../../../data/partner/investor-checks.ts';
import { findInvestorOf, findVisibleInvestor } from '../../../data/partner/investors.ts';
import { CHECK_KINDS } from '../../../domain/partner/compliance.ts';
import { partnerOf } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { jsonOf } from '../../responses/wire.ts';
import { partnerActionOf } from '../action-of.ts';
import { PARTNER_READ } from '../partner-route.ts';
import { ComplianceView, complianceOnWire, noSuchInvestor } from './investor-schema.ts';

/** GET /v1/investors/{investor_id}/compliance (P-WHI-02). */
export function getComplianceRoute(partner: Profile): void {
  registerRoute(
    partner,
    { ...PARTNER_READ, errors: ['NOT_FOUND'] },
    createRoute({
      method: 'get',
      path: '/v1/investors/{id}/compliance',
      tags: ['investors'],
      summary: 'The compliance record of an investor',
      description: 'For who has introduced it, and for the agent of a security that it holds or has traded.',
      request: { params: z.object({ id: z.uuid() }) },
      responses: { 200: jsonOf('The checks.', ComplianceView) },
    }),
    async (c) => {
      const db = database(c.env.DB);
      const investor = await findVisibleInvestor(db, partnerOf(c), c.req.valid('param').id);
      if (investor === null) return failure(c, noSuchInvestor());
      return c.json(complianceOnWire(investor, await listChecks(db, investor.id), Date.now()), 200);
    },
  );
}

/** POST /v1/investors/{id}/compliance/{kind}/rescreen. */
export function rescreenRoute(partner: Profile): void {
  registerRoute(
    partner,
    {
      access: { credential: 'partner', roles: ['cross_lister'] },
      bucket: 'private',
      idempotent: true,
      errors: ['NOT_FOUND', 'CONFLICT', 'SERVICE_UNAVAILABLE'],
    },
    createRoute({
      method: 'post',
      path: '/v1/investors/{id}/compliance/{kind}/rescreen',
      tags: ['investors'],
      summary: 'Have a check made anew',
      description: 'What it found before stands until then.',
      request: { params: z.object({ id: z.uuid(), kind: z.enum(CHECK_KINDS) }) },
      responses: { 200: jsonOf('The checks.', ComplianceView) },
    }),
    async (c) => {
      const { id, kind } = c.req.valid('param');
      const db = database(c.env.DB);
      const investor = await findInvestorOf(db, partnerOf(c).organization, id);
      if (investor === null) return failure(c, noSuchInvestor());
      const made = await rescreen(c.env, investor, kind, partnerActionOf(c));
      if (!made.ok) return failure(c, made.error);
      return c.json(complianceOnWire(investor, await listChecks(db, id), Date.now()), 200);
    },
  );
}
