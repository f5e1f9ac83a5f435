import { createRoute, z } from '@hono/zod-openapi';
import { ROLES_OF_USERS } from '../../../application/operator/open-user-account.ts';
import { listUsers } from '../../../data/accounts/users.ts';
import { database } from '../../../data/database.ts';
import type { AppContext } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { enveloped, envelopeOf } from '../../responses/envelope.ts';
import { limitQuery, pageOf, rowsToRead } from '../../responses/paging.ts';
import { bodyOf } from '../../responses/wire.ts';
import { OPERATOR_READ, readableOwner } from './operator-route.ts';
import { UserRecord, userRecord } from './user-schema.ts';

const SEARCH_WORDS_MAX = 10;

const ListedUser = UserRecord.extend({
  accountId: z.string().nullable().openapi({ description: 'Null for a user without a trading account.' }),
}).openapi('OperatorListedUser');

const SearchWords = z.string().max(200).openapi({ description: 'Words that all occur in id, name, email or phone.' });

const UserQuery = z.object({
  owner: z.string().optional().openapi({ description: 'Organization id, for operators of the venue.' }),
  role: z.enum(ROLES_OF_USERS).optional(),
  limit: limitQuery,
  cursor: z.string().optional().openapi({ description: 'Id of the last user of the page before.' }),
});

const SearchRequest = z
  .strictObject({
    search: SearchWords,
    owner: z.string().optional(),
    role: z.enum(ROLES_OF_USERS).optional(),
    active: z.boolean().optional(),
  })
  .openapi('OperatorUserSearch');

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
        // No words: an address is logged.
        query: UserQuery.extend({ active: z.enum(['true', 'false']).optional() }),
      },
      responses: { 200: envelopeOf('Users by id.', z.array(ListedUser)) },
    }),
    async (c) => {
      const { owner, role, active, limit, cursor } = c.req.valid('query');
      const isActive = active === undefined ? null : active === 'true';
      return c.json(enveloped(await usersOf(c, { owner, role, isActive, search: '', limit, cursor })), 200);
    },
  );
}

/** POST /v1/operator/users/search: the same, by words that stand in no address: those are logged. */
export function searchUsersRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    OPERATOR_READ,
    createRoute({
      method: 'post',
      path: '/v1/operator/users/search',
      tags: ['operator'],
      summary: 'Search users of the organization',
      request: { query: UserQuery.pick({ limit: true, cursor: true }), body: bodyOf(SearchRequest) },
      responses: { 200: envelopeOf('Users by id.', z.array(ListedUser)) },
    }),
    async (c) => {
      const { active, ...terms } = c.req.valid('json');
      return c.json(enveloped(await usersOf(c, { ...terms, ...c.req.valid('query'), isActive: active ?? null })), 200);
    },
  );
}

interface UserSearch {
  readonly owner?: string | undefined;
  readonly role?: z.infer<typeof UserQuery>['role'];
  readonly isActive: boolean | null;
  readonly search: string;
  readonly limit?: z.infer<typeof limitQuery>;
  readonly cursor?: string | undefined;
}

async function usersOf(
  c: AppContext,
  { owner, role, isActive, search, limit, cursor }: UserSearch,
): Promise<z.infer<typeof ListedUser>[]> {
  const found = await listUsers(database(c.env.DB), {
    owner: readableOwner(c) ?? owner ?? null,
    role: role ?? null,
    active: isActive,
    words: search.split(/\s+/).filter(Boolean).slice(0, SEARCH_WORDS_MAX),
    after: cursor ?? null,
    limit: rowsToRead(limit),
  });
  const page = pageOf(c, found, limit, ({ id }) => id);
  return page.map((user) => ({ ...userRecord(user), accountId: user.accountId }));
}
