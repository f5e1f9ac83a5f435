import { createRoute, z } from '@hono/zod-openapi';
import { COUNTED_USERS_MAX, listOrganizations } from '../../../data/accounts/organizations.ts';
import { database } from '../../../data/database.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { enveloped, envelopeOf } from '../../responses/envelope.ts';
import { limitQuery, pageOf, rowsToRead } from '../../responses/paging.ts';
import { isoTime } from '../../responses/wire.ts';
import { OPERATOR_READ, readableOwner } from './operator-route.ts';

const CURSOR_LENGTH_MAX = 200;

const ListedOrganization = z
  .object({
    id: z.string(),
    name: z.string(),
    partnerRole: z.string().nullable().openapi({ description: 'What it is as a partner; null where it is none.' }),
    partnerState: z.string().nullable(),
    users: z
      .int()
      .max(COUNTED_USERS_MAX)
      .openapi({ description: `Counted up to ${COUNTED_USERS_MAX}.` }),
    createdAt: z.iso.datetime(),
  })
  .openapi('OperatorListedOrganization');

/** GET /v1/operator/organizations: the own one; an operator of the venue sees all. */
export function listOrganizationsRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    OPERATOR_READ,
    createRoute({
      method: 'get',
      path: '/v1/operator/organizations',
      tags: ['operator'],
      summary: 'Organizations: the own one, all for the venue',
      request: {
        query: z.object({
          limit: limitQuery,
          cursor: z
            .string()
            .max(CURSOR_LENGTH_MAX)
            .optional()
            .openapi({ description: 'Id of the last organization of the page before.' }),
        }),
      },
      responses: { 200: envelopeOf('Organizations by id.', z.array(ListedOrganization)) },
    }),
    async (c) => {
      const { limit, cursor = null } = c.req.valid('query');
      const page = { only: readableOwner(c), after: cursor, limit: rowsToRead(limit) };
      const found = await listOrganizations(database(c.env.DB), page);
      const shown = pageOf(c, found, limit, ({ id }) => id).map(({ createdAt, ...organization }) => ({
        ...organization,
        createdAt: isoTime(createdAt),
      }));
      return c.json(enveloped(shown), 200);
    },
  );
}
