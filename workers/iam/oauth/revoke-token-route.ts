import { createRoute, z } from '@hono/zod-openapi';
import { authenticateClient } from '../../../application/identity/grants/authenticate-client.ts';
import { revokeToken } from '../../../application/identity/tokens/revoke-token.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { callerOf } from '../caller-of.ts';
import { clientCredentialsOf } from './client-credentials-of.ts';
import { oauthFailure, oauthFailures } from './oauth-failure.ts';
import { openToPagesOf, PAGES_OF_CLIENTS } from './pages-of-clients.ts';

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
      crossOrigin: PAGES_OF_CLIENTS,
      passesOverQuery: 'RFC 6749, 3.2: unknown parameters are ignored',
      invalid: (c) => oauthFailure(c, { error: 'invalid_request', description: 'a field is missing or repeated' }),
    },
    createRoute({
      method: 'post',
      path: '/api/login/oauth/revoke',
      summary: 'Revoke a token',
      request: { body: { required: true, content: { 'application/x-www-form-urlencoded': { schema: Form } } } },
      responses: { ...oauthFailures, 200: { description: 'Revoked, or never valid' } },
    }),
    async (c) => {
      const form = c.req.valid('form');
      if (form.client_secret === undefined) await openToPagesOf(c, form.client_id);
      const credentials = clientCredentialsOf(c.req.header('authorization'), form);
      if (!credentials.ok) return oauthFailure(c, credentials.error);
      const from = callerOf(c);
      const client = await authenticateClient(c.env, credentials.value, null, from);
      if (!client.ok) return oauthFailure(c, client.error);
      await revokeToken(c.env, form.token, client.value.id, from);
      return c.body(null, 200);
    },
  );
}
