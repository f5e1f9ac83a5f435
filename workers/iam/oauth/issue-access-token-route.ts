import { createRoute, z } from '@hono/zod-openapi';
import type { OAuthClient } from '../../../data/identity/oauth-clients.ts';
import type { Grant } from '../../../domain/identity/grant.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { authenticateClient, clientCredentialsOf } from './authenticate-client.ts';
import { clientCredentialsGrant } from './client-credentials-grant.ts';
import { oauthFailure } from './oauth-error.ts';
import { passwordGrant } from './password-grant.ts';
import { refreshTokenGrant } from './refresh-token-grant.ts';
import { type TokenFields, TokenForm } from './token-form.ts';
import type { TokenResult } from './token-result.ts';

const GRANTS: Readonly<Record<Grant, (client: OAuthClient, fields: TokenFields, env: Env) => Promise<TokenResult>>> = {
  password: passwordGrant,
  client_credentials: clientCredentialsGrant,
  refresh_token: refreshTokenGrant,
};

const Tokens = z.object({
  access_token: z.string(),
  token_type: z.literal('Bearer'),
  expires_in: z.int(),
  scope: z.string(),
  id_token: z.string().optional(),
  refresh_token: z.string().optional(),
});

/** The token endpoint (X-AAU-01, P-AUT-02). */
export function issueAccessTokenRoute(iam: Profile): void {
  registerRoute(
    iam,
    {
      access: { credential: 'oauth' },
      bucket: 'public',
      invalid: (c) => oauthFailure(c, { error: 'invalid_request', description: 'a field is missing or repeated' }),
    },
    createRoute({
      method: 'post',
      path: '/api/login/oauth/access_token',
      summary: 'Buy tokens with a one-time code, client credentials or a refresh token',
      request: { body: { required: true, content: { 'application/x-www-form-urlencoded': { schema: TokenForm } } } },
      responses: { 200: { description: 'Tokens', content: { 'application/json': { schema: Tokens } } } },
    }),
    async (c) => {
      const fields = c.req.valid('form');
      const grant = fields.grant_type;
      if (!isGrant(grant))
        return oauthFailure(c, { error: 'unsupported_grant_type', description: 'unknown grant_type' });
      const credentials = clientCredentialsOf(c.req.header('authorization'), fields);
      if ('error' in credentials) return oauthFailure(c, credentials);
      const authentication = await authenticateClient(credentials, grant, c.env);
      if (!authentication.ok) return oauthFailure(c, authentication.error);
      const result = await GRANTS[grant](authentication.client, fields, c.env);
      return result.ok ? c.json({ ...result.tokens }, 200) : oauthFailure(c, result.error);
    },
  );
}

function isGrant(text: string): text is Grant {
  return Object.hasOwn(GRANTS, text);
}
