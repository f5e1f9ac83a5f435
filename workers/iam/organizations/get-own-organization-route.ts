import { createRoute } from '@hono/zod-openapi';
import { database } from '../../../data/database.ts';
import { findPartnerOrganization } from '../../../data/partner/organizations.ts';
import { apiError } from '../../../protocol/errors/api-error.ts';
import { principalOf } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { jsonOf } from '../../responses/wire.ts';
import { OrganizationView, organizationOnWire } from './organization-schema.ts';

/** GET /v1/organizations/me: where the caller's application as a partner stands. */
export function getOwnOrganizationRoute(iam: Profile): void {
  registerRoute(
    iam,
    { access: { credential: 'bearer' }, bucket: 'private', errors: ['NOT_FOUND'] },
    createRoute({
      method: 'get',
      path: '/v1/organizations/me',
      tags: ['organizations'],
      summary: 'The caller’s organization as a partner',
      responses: { 200: jsonOf('The organization.', OrganizationView) },
    }),
    async (c) => {
      const partner = await findPartnerOrganization(database(c.env.DB), principalOf(c).owner);
      if (partner === null) return failure(c, apiError('NOT_FOUND', 'the organization is no partner'));
      return c.json(organizationOnWire(partner), 200);
    },
  );
}
