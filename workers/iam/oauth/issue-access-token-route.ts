import { createRoute, z } from '@hono/zod-openapi';
import { grantTokens, isGrant } from '../../../application/identity/grants/grant-tokens.ts';
import type { IssuedTokens } from '../../../application/identity/tokens/issue-tokens.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { callerOf } from '../caller-of.ts';
import { clientCredentialsOf } from './client-credentials-of.ts';
import { oauthFailure, oauthFailures } from './oauth-failure.ts';
import { openToPagesOf, PAGES_OF_CLIENTS } from './pages-of-clients.ts';
import { TokenForm } from './token-form.ts';

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
      crossOrigin: PAGES_OF_CLIENTS,
      passesOverQuery: 'RFC 6749, 3.2: unknown parameters are ignored',
      invalid: (c) => oauthFailure(c, { error: 'invalid_request', description: 'a field is missing or repeated' }),
    },
    createRoute({
      method: 'post',
      path: '/api/login/oauth/access_token',
      summary: 'Buy tokens with an authorization code, a one-time code, client credentials or a refresh token',
      request: { body: { required: true, content: { 'application/x-www-form-urlencoded': { schema: TokenForm } } } },
      responses: {
        ...oauthFailures,
        200: { description: 'Tokens', content: { 'application/json': { schema: Tokens } } },
      },
    }),
    async (c) => {
      const {
        grant_type: grant,
        refresh_token: refreshToken,
        redirect_uri: redirectUri,
        code_verifier: codeVerifier,
        code,
        resource,
        username,
        password,
        scope,
        ...client
      } = c.req.valid('form');
      if (client.client_secret === undefined) await openToPagesOf(c, client.client_id);
      if (!isGrant(grant))
        return oauthFailure(c, { error: 'unsupported_grant_type', description: 'unknown grant_type' });
      const credentials = clientCredentialsOf(c.req.header('authorization'), client);
      if (!credentials.ok) return oauthFailure(c, credentials.error);
      const bought = { code, redirectUri, codeVerifier, resource };
      const fields = { username, password, refreshToken, ...bought, scope, ...callerOf(c) };
      const tokens = await grantTokens(c.env, grant, credentials.value, fields);
      return tokens.ok ? c.json(tokensView(tokens.value), 200) : oauthFailure(c, tokens.error);
    },
  );
}

function tokensView({ accessToken, expiresIn, scope, idToken, refreshToken }: IssuedTokens): z.infer<typeof Tokens> {
  return {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: expiresIn,
    scope,
    ...(idToken === null ? {} : { id_token: idToken }),
    ...(refreshToken === null ? {} : { refresh_token: refreshToken }),
  };
}
