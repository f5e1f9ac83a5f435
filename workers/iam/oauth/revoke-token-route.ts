import { createRoute, z } from '@hono/zod-openapi';
import { invalidateSubject } from '../../../application/identity/invalidate-gates.ts';
import { sha256Hex } from '../../../application/identity/sha256-hex.ts';
import { endGrant } from '../../../application/identity/tokens/end-grant.ts';
import { database } from '../../../data/database.ts';
import { findRefreshToken } from '../../../data/identity/refresh-tokens.ts';
import { revokeAccessToken } from '../../../data/identity/revocations.ts';
import { verifyAccessToken } from '../../../durable-objects/credentials/access-token.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { authenticateClient, clientCredentialsOf } from './authenticate-client.ts';
import { oauthFailure } from './oauth-error.ts';

const Form = z.object({
  token: z.string(),
  token_type_hint: z.string().optional(),
  client_id: z.string().optional(),
  client_secret: z.string().optional(),
});

/** RFC 7009: ends an access token, or a refresh token with its whole grant. A token that is not the client's is not told apart. */
export function revokeTokenRoute(iam: Profile): void {
  registerRoute(
    iam,
    {
      access: { credential: 'oauth' },
      bucket: 'public',
      invalid: (c) => oauthFailure(c, { error: 'invalid_request', description: 'a field is missing or repeated' }),
    },
    createRoute({
      method: 'post',
      path: '/api/login/oauth/revoke',
      summary: 'Revoke a token',
      request: { body: { required: true, content: { 'application/x-www-form-urlencoded': { schema: Form } } } },
      responses: { 200: { description: 'Revoked, or never valid' } },
    }),
    async (c) => {
      const form = c.req.valid('form');
      const credentials = clientCredentialsOf(c.req.header('authorization'), form);
      if ('error' in credentials) return oauthFailure(c, credentials);
      const authentication = await authenticateClient(credentials, null, c.env);
      if (!authentication.ok) return oauthFailure(c, authentication.error);
      await revokeToken(form.token, authentication.client.id, c.env);
      return c.body(null, 200);
    },
  );
}

async function revokeToken(token: string, clientId: string, env: Env): Promise<void> {
  const refresh = await findRefreshToken(database(env.DB), await sha256Hex(token));
  if (refresh !== null) {
    if (refresh.clientId === clientId) await endGrant(refresh, env);
    return;
  }
  const access = await verifyAccessToken(token, env);
  if (!access.ok || access.value.clientId !== clientId) return;
  const { owner, subject, expiresAt, revocationIds } = access.value;
  const jti = revocationIds[0];
  if (jti === undefined) return;
  await revokeAccessToken(database(env.DB), jti, expiresAt * 1_000);
  await invalidateSubject(env, owner, subject);
}
