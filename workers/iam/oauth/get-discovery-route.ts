import { createRoute, z } from '@hono/zod-openapi';
import { SIGNING_ALGORITHM } from '../../../application/identity/signing-keys/create-signing-key.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';

const Discovery = z.object({
  issuer: z.string(),
  token_endpoint: z.string(),
  userinfo_endpoint: z.string(),
  revocation_endpoint: z.string(),
  jwks_uri: z.string(),
  scopes_supported: z.array(z.string()),
  grant_types_supported: z.array(z.string()),
  response_types_supported: z.array(z.string()),
  subject_types_supported: z.array(z.string()),
  id_token_signing_alg_values_supported: z.array(z.string()),
  token_endpoint_auth_methods_supported: z.array(z.string()),
  claims_supported: z.array(z.string()),
});

/** OpenID Connect Discovery 1.0, section 3. */
export function getDiscoveryRoute(iam: Profile): void {
  registerRoute(
    iam,
    { access: { credential: 'oauth' }, bucket: 'public' },
    createRoute({
      method: 'get',
      path: '/.well-known/openid-configuration',
      summary: 'Metadata of the provider',
      responses: { 200: { description: 'Provider metadata', content: { 'application/json': { schema: Discovery } } } },
    }),
    (c) => {
      const issuer = c.env.IAM_ISSUER;
      return c.json(
        {
          issuer,
          token_endpoint: `${issuer}/api/login/oauth/access_token`,
          userinfo_endpoint: `${issuer}/api/userinfo`,
          revocation_endpoint: `${issuer}/api/login/oauth/revoke`,
          jwks_uri: `${issuer}/.well-known/jwks`,
          scopes_supported: ['openid', 'profile', 'email', 'phone', 'offline_access'],
          grant_types_supported: ['password', 'client_credentials', 'refresh_token'],
          response_types_supported: [],
          subject_types_supported: ['public'],
          id_token_signing_alg_values_supported: [SIGNING_ALGORITHM],
          token_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
          claims_supported: ['sub', 'owner', 'name', 'email', 'phone_number'],
        },
        200,
      );
    },
  );
}
