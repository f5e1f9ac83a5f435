import { createRoute, z } from '@hono/zod-openapi';
import { ROLES_OF_USERS } from '../../../application/operator/open-user-account.ts';
import { listUsers } from '../../../data/accounts/users.ts';
import { database } from '../../../data/database.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { enveloped, envelopeOf } from '../../responses/envelope.ts';
import { limitQuery, pageOf, rowsToRead } from '../../responses/paging.ts';
import { OPERATOR_READ, readableOwner } from './operator-route.ts';
import { UserRecord, userRecord } from './user-schema.ts';

const SEARCH_WORDS_MAX = 10;

const ListedUser = UserRecord.extend({
  accountId: z.string().nullable().openapi({ description: 'Null for a user without a trading account.' }),
}).openapi('OperatorListedUser');

/** GET /v1/operator/users: the organization's users; an operator of the venue sees every organization's. */
export function listUsersRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    OPERATOR_READ,
    createRoute({
      method: 'get',
      path: '/v1/operator/users',
      tags: ['operator'],
      summary: 'Users of the organization',
      request: {
        query: z.object({
          owner: z.string().optional().openapi({ description: 'Organization id, for operators of the venue.' }),
          role: z.enum(ROLES_OF_USERS).optional(),
          active: z.enum(['true', 'false']).optional(),
          search: z
            .string()
            .max(200)
            .optional()
            .openapi({ description: 'Words that all occur in id, name, email or phone.' }),
          limit: limitQuery,
          cursor: z.string().optional().openapi({ description: 'Id of the last user of the page before.' }),
        }),
      },
      responses: { 200: envelopeOf('Users by id.', z.array(ListedUser)) },
    }),
    async (c) => {
      const { owner, role, active, search, limit, cursor } = c.req.valid('query');
      const found = await listUsers(database(c.env.DB), {
        owner: readableOwner(c) ?? owner ?? null,
        role: role ?? null,
        active: active === undefined ? null : active === 'true',
        words: (search ?? '').split(/\s+/).filter(Boolean).slice(0, SEARCH_WORDS_MAX),
        after: cursor ?? null,
        limit: rowsToRead(limit),
      });
      const page = pageOf(c, found, limit, ({ id }) => id);
      return c.json(enveloped(page.map((user) => ({ ...userRecord(user), accountId: user.accountId }))), 200);
    },
  );
}
