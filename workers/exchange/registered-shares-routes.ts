import { createRoute, z } from '@hono/zod-openapi';
import { database } from '../../data/database.ts';
import { findConsent, setConsent } from '../../data/partner/register/consents.ts';
import { type AppContext, bearerOf, principalOf } from '../middleware/app-env.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { enveloped, envelopeOf } from '../responses/envelope.ts';
import { orderFailure } from './order-failure.ts';

const path = '/v1/account/registered-shares';
const tags = ['account'];

const RegisteredSharesRequest = z
  .strictObject({ accepted: z.boolean() })
  .openapi('RegisteredSharesRequest', { example: { accepted: true } });

const RegisteredSharesView = z
  .object({
    accepted: z.boolean().openapi({
      description:
        'Transfer agents may register shares of any security to the account, and read the name of its owner.',
    }),
    acceptedAt: z.string().nullable().openapi({ format: 'date-time' }),
  })
  .openapi('RegisteredShares', { example: { accepted: true, acceptedAt: '2026-11-23T15:00:00.000Z' } });

/** GET and PUT /v1/account/registered-shares: whether the caller's account takes shares that transfer agents register to it. */
export function registeredSharesRoutes(exchange: Profile): void {
  registerRoute(
    exchange,
    { access: { credential: 'tenant' }, bucket: 'private' },
    createRoute({
      method: 'get',
      path,
      tags,
      summary: 'Whether transfer agents may register shares to the account',
      responses: { 200: envelopeOf('What stands.', RegisteredSharesView) },
    }),
    async (c) => {
      const { facts } = principalOf(c);
      if (facts === null) return orderFailure(c, { reason: 'no_account' });
      return c.json(enveloped(await viewOf(c, facts.accountId)), 200);
    },
  );

  registerRoute(
    exchange,
    { access: { credential: 'tenant' }, bucket: 'private', freshFactor: true },
    createRoute({
      method: 'put',
      path,
      tags,
      summary: 'Let transfer agents register shares to the account, or take that back',
      description: 'What was registered before it is taken back stays.',
      request: { body: { required: true, content: { 'application/json': { schema: RegisteredSharesRequest } } } },
      responses: { 200: envelopeOf('What stands.', RegisteredSharesView) },
    }),
    async (c) => {
      const { facts } = principalOf(c);
      if (facts === null) return orderFailure(c, { reason: 'no_account' });
      await setConsent(database(c.env.DB), facts.accountId, c.req.valid('json').accepted, Date.now(), bearerOf(c));
      return c.json(enveloped(await viewOf(c, facts.accountId)), 200);
    },
  );
}

async function viewOf(c: AppContext, account: string): Promise<z.infer<typeof RegisteredSharesView>> {
  const at = await findConsent(database(c.env.DB), account);
  return { accepted: at !== null, acceptedAt: at === null ? null : new Date(at).toISOString() };
}
