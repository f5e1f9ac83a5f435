import { createRoute, z } from '@hono/zod-openapi';
import { openUserAccount } from '../../../application/operator/open-user-account.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { enveloped, envelopeOf } from '../../responses/envelope.ts';
import { failure } from '../../responses/failure.ts';
import { FactsRequest, FactsView, factsOf, factsView } from './account-schema.ts';
import { actionOf } from './action-of.ts';
import { OPERATOR_WRITE } from './operator-route.ts';
import { givesRights, userFields } from './user-schema.ts';
import { weigh } from './weighty-call.ts';

const UserRequest = z
  .object({
    owner: z.string().min(1).openapi({ description: 'Organization id.' }),
    ...userFields,
    phone: userFields.phone.default(null),
    roles: userFields.roles.default(['trader']),
    service: z.boolean().default(false).openapi({
      description:
        'Made for machine clients: nobody signs in as it, and it has no phone. A client that speaks for a person needs their consent.',
    }),
    facts: FactsRequest.default({}).openapi({ description: 'What is left out counts as not proven.' }),
  })
  .strict()
  .openapi('OperatorUserRequest');

const UserView = z
  .object({
    userId: z.string(),
    accountId: z.string(),
    owner: z.string(),
    ...userFields,
    service: z.boolean(),
    facts: FactsView,
  })
  .openapi('OperatorUser');

/** POST /v1/operator/users: a user and the trading account that is theirs, which carries the user's id. */
export function createUserRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    // The answer names a person.
    { ...OPERATOR_WRITE, idempotent: 'unstored' },
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
      const action = actionOf(c);
      const waits = person.roles.some(givesRights) ? await weigh(c, c.req.valid('json'), action) : null;
      if (waits !== null) return failure(c, waits);
      const opened = await openUserAccount(c.env, person, factsOf(stated), action);
      if (!opened.ok) return failure(c, opened.error);
      const { id, facts, roles, ...user } = opened.value;
      const shown = { userId: id, accountId: id, ...user, roles: [...roles], facts: factsView(facts) };
      return c.json(enveloped(shown), 200);
    },
  );
}
