import { createRoute, z } from '@hono/zod-openapi';
import { clientsOf, endClientOf, takeClientSecret } from '../../../application/identity/clients/own-clients.ts';
import type { OAuthClient } from '../../../data/identity/oauth-clients.ts';
import { principalOf } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { enveloped, envelopeOf } from '../../responses/envelope.ts';
import { failure } from '../../responses/failure.ts';
import { actorOf } from '../actor-of.ts';

const Moment = z.iso.datetime().nullable();

const ClientOfUser = z
  .object({
    id: z.string(),
    name: z.string(),
    owner: z.string(),
    userId: z.string().nullable(),
    createdAt: z.iso.datetime(),
    agreedAt: Moment.openapi({ description: 'When the person that it speaks for agreed.' }),
    waitingSince: Moment.openapi({ description: 'Since when its secret opens nothing, until it has another.' }),
    revokedAt: Moment,
  })
  .openapi('ClientOfUser');

const ClientOfUserWithSecret = ClientOfUser.extend({
  secret: z.string().openapi({ description: 'Shown this once.' }),
}).openapi('ClientOfUserWithSecret');

const clientId = z.object({ id: z.string() });

/** GET /v1/clients: who speaks for the caller, or for a user whose credentials the caller manages. */
export function listClientsRoute(iam: Profile): void {
  registerRoute(
    iam,
    { access: { credential: 'bearer' }, bucket: 'private', errors: ['NOT_FOUND'] },
    createRoute({
      method: 'get',
      path: '/v1/clients',
      summary: 'Machine clients that speak for the caller, or for a user of theirs',
      request: {
        query: z.object({
          userId: z
            .string()
            .min(1)
            .optional()
            .openapi({ description: 'Another user, for whoever manages credentials.' }),
        }),
      },
      responses: { 200: envelopeOf('Clients by id, 1,000 at most.', z.array(ClientOfUser)) },
    }),
    async (c) => {
      const { userId = principalOf(c).userId } = c.req.valid('query');
      const clients = await clientsOf(c.env, actorOf(c), userId);
      return clients.ok ? c.json(enveloped(clients.value.map(clientOnWire)), 200) : failure(c, clients.error);
    },
  );
}

/** DELETE /v1/clients/{id}: for good, with its tokens. For its user, or whoever manages their credentials. */
export function endClientRoute(iam: Profile): void {
  registerRoute(
    iam,
    { access: { credential: 'bearer' }, bucket: 'private', errors: ['NOT_FOUND'] },
    createRoute({
      method: 'delete',
      path: '/v1/clients/{id}',
      summary: 'End a machine client that speaks for the caller, or for a user of theirs',
      request: { params: clientId },
      responses: { 200: envelopeOf('The client.', ClientOfUser) },
    }),
    async (c) => {
      const ended = await endClientOf(c.env, actorOf(c), c.req.valid('param').id);
      return ended.ok ? c.json(enveloped(clientOnWire(ended.value)), 200) : failure(c, ended.error);
    },
  );
}

/** POST /v1/clients/{id}/secret: agrees to a client. No Idempotency-Key: a kept answer would keep the secret. */
export function takeClientSecretRoute(iam: Profile): void {
  registerRoute(
    iam,
    { access: { credential: 'bearer' }, bucket: 'private', freshFactor: true, errors: ['NOT_FOUND', 'CONFLICT'] },
    createRoute({
      method: 'post',
      path: '/v1/clients/{id}/secret',
      summary: 'Agree to a machine client that speaks for the caller; its new secret is shown once',
      description: 'For a person, by a token that they signed in for. The last secret ends at once.',
      request: { params: clientId },
      responses: { 200: envelopeOf('The client.', ClientOfUserWithSecret) },
    }),
    async (c) => {
      const taken = await takeClientSecret(c.env, actorOf(c), c.req.valid('param').id);
      if (!taken.ok) return failure(c, taken.error);
      const { client, secret } = taken.value;
      return c.json(enveloped({ ...clientOnWire(client), secret: secret ?? '' }), 200);
    },
  );
}

function clientOnWire(client: OAuthClient): z.infer<typeof ClientOfUser> {
  const { id, name, owner, userId, createdAt, agreedAt, waitingSince, revokedAt } = client;
  return {
    id,
    name,
    owner,
    userId,
    createdAt: new Date(createdAt).toISOString(),
    agreedAt: momentOf(agreedAt),
    waitingSince: momentOf(waitingSince),
    revokedAt: momentOf(revokedAt),
  };
}

function momentOf(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}
