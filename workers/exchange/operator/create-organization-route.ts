import { createRoute, z } from '@hono/zod-openapi';
import { registerOrganization } from '../../../data/accounts/organizations.ts';
import { database } from '../../../data/database.ts';
import { apiError } from '../../../protocol/errors/api-error.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { enveloped, envelopeOf } from '../../responses/envelope.ts';
import { failure } from '../../responses/failure.ts';
import { lineOfText } from '../../responses/line-of-text.ts';
import { actionOf } from './action-of.ts';
import { SLUG, SLUG_WORDS } from './asset-schema.ts';
import { OPERATOR_WRITE } from './operator-route.ts';

const NAME_LENGTH_MAX = 200;

const OrganizationRequest = z
  .object({
    id: z
      .string()
      .regex(SLUG, SLUG_WORDS)
      .openapi({ description: 'The `owner` claim of its users.', example: 'northwind' }),
    name: lineOfText(NAME_LENGTH_MAX),
  })
  .strict()
  .openapi('OperatorOrganizationRequest');

const OrganizationView = z.object({ id: z.string(), name: z.string() }).openapi('OperatorOrganization');

/** POST /v1/operator/organizations: another organization whose users trade here. */
export function createOrganizationRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    OPERATOR_WRITE,
    createRoute({
      method: 'post',
      path: '/v1/operator/organizations',
      tags: ['operator'],
      summary: 'Create an organization',
      request: { body: { required: true, content: { 'application/json': { schema: OrganizationRequest } } } },
      responses: { 200: envelopeOf('The organization.', OrganizationView) },
    }),
    async (c) => {
      const organization = c.req.valid('json');
      const created = await registerOrganization(
        database(c.env.DB),
        { ...organization, createdAt: Date.now() },
        actionOf(c),
      );
      if (!created) return failure(c, apiError('CONFLICT', 'the id is taken', { field: 'id' }));
      return c.json(enveloped(organization), 200);
    },
  );
}
