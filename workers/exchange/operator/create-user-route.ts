import { createRoute, z } from '@hono/zod-openapi';
import { openUserAccount, ROLES_OF_USERS } from '../../../application/operator/open-user-account.ts';
import { isPhoneNumber } from '../../../domain/identity/phone-number.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { enveloped, envelopeOf } from '../../responses/envelope.ts';
import { failure } from '../../responses/failure.ts';
import { FactsRequest, FactsView, factsOf, factsView } from './account-schema.ts';
import { actionOf } from './action-of.ts';
import { OPERATOR_WRITE } from './operator-route.ts';

const NAME_LENGTH_MAX = 200;

const UserRequest = z
  .object({
    owner: z.string().min(1).openapi({ description: 'Organization id.' }),
    name: z.string().trim().min(1).max(NAME_LENGTH_MAX),
    email: z.email(),
    phone: z
      .string()
      .refine(isPhoneNumber, { error: 'E.164, such as +15550100002' })
      .nullable()
      .default(null)
      .openapi({ description: 'Username of the password grant; none for the user of a machine client.' }),
    roles: z.array(z.enum(ROLES_OF_USERS)).min(1).max(ROLES_OF_USERS.length).default(['trader']),
    facts: FactsRequest.default({}).openapi({ description: 'What is left out counts as not proven.' }),
  })
  .strict()
  .openapi('OperatorUserRequest');

const UserView = z
  .object({
    userId: z.string(),
    accountId: z.string(),
    owner: z.string(),
    name: z.string(),
    email: z.string(),
    phone: z.string().nullable(),
    roles: z.array(z.enum(ROLES_OF_USERS)),
    facts: FactsView,
  })
  .openapi('OperatorUser');

/** POST /v1/operator/users: a user and the trading account that is theirs, which carries the user's id. */
export function createUserRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    OPERATOR_WRITE,
    createRoute({
      method: 'post',
      path: '/v1/operator/users',
      tags: ['operator'],
      summary: 'Create a user with an account',
      request: { body: { required: true, content: { 'application/json': { schema: UserRequest } } } },
      responses: { 200: envelopeOf('The user and the account.', UserView) },
    }),
    async (c) => {
      const { facts: stated, ...person } = c.req.valid('json');
      const opened = await openUserAccount(c.env, person, factsOf(stated), actionOf(c));
      if (!opened.ok) return failure(c, opened.error);
      const { id, facts, roles, ...user } = opened.value;
      const shown = { userId: id, accountId: id, ...user, roles: [...roles], facts: factsView(facts) };
      return c.json(enveloped(shown), 200);
    },
  );
}
