import { createRoute, z } from '@hono/zod-openapi';
import { registerUser } from '../../../data/accounts/accounts.ts';
import { organizationExists } from '../../../data/accounts/organizations.ts';
import { database } from '../../../data/database.ts';
import type { ComplianceFacts } from '../../../domain/accounts/account.ts';
import { isPhoneNumber } from '../../../domain/identity/phone-number.ts';
import { apiError } from '../../../protocol/errors/api-error.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { FactsRequest, FactsView, factsOf, factsView } from './account-schema.ts';
import { actionOf } from './action-of.ts';
import { enveloped, OPERATOR_WRITE, venueOnly } from './operator-route.ts';

const NAME_LENGTH_MAX = 200;
const ROLES = ['trader', 'operator', 'transfer_agent'] as const;

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
    roles: z.array(z.enum(ROLES)).min(1).max(ROLES.length).default(['trader']),
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
    roles: z.array(z.enum(ROLES)),
    facts: FactsView,
  })
  .openapi('OperatorUser');

/** What counts until it is proven. A US person until stated otherwise: the stricter rules apply. */
const UNPROVEN: ComplianceFacts = {
  kycStatus: 'pending',
  accreditationStatus: 'none',
  accreditationType: null,
  usPerson: true,
  annualIncome: 0,
  netWorth: 0,
  frozen: false,
};

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
      responses: enveloped('The user and the account.', UserView),
    }),
    async (c) => {
      const refusal = venueOnly(c);
      if (refusal !== null) return failure(c, refusal);
      const { facts: stated, ...person } = c.req.valid('json');
      const db = database(c.env.DB);
      if (!(await organizationExists(db, person.owner)))
        return failure(c, apiError('NOT_FOUND', 'organization does not exist', { field: 'owner' }));
      const action = actionOf(c);
      const user = { ...person, roles: [...new Set(person.roles)] };
      const facts = { ...UNPROVEN, ...factsOf(stated) };
      const { id } = action;
      const created = await registerUser(db, { id, ...user, createdAt: Date.now() }, { id, ...facts }, action);
      if (!created) return failure(c, apiError('CONFLICT', 'the phone number is taken', { field: 'phone' }));
      return c.json(
        { data: { userId: id, accountId: id, ...user, facts: factsView(facts) }, message: 'ok' as const },
        200,
      );
    },
  );
}
