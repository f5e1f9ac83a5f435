import { createRoute, z } from '@hono/zod-openapi';
import { SIGNING_ALGORITHM } from '../../../application/identity/signing-keys/create-signing-key.ts';
import { ACR_VALUES } from '../../../domain/identity/factors.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { AUTHORIZE_PATH } from '../authorize/authorize-routes.ts';
import { SIGN_OUT_PATH } from '../authorize/sign-out-routes.ts';
import { isRegistrationOpen, REGISTER_PATH } from './register-client-route.ts';

const Discovery = z.object({
  issuer: z.string(),
  authorization_endpoint: z.string(),
  token_endpoint: z.string(),
  registration_endpoint: z.string().optional(),
  userinfo_endpoint: z.string(),
  revocation_endpoint: z.string(),
  end_session_endpoint: z.string(),
  jwks_uri: z.string(),
  scopes_supported: z.array(z.string()),
  grant_types_supported: z.array(z.string()),
  response_types_supported: z.array(z.string()),
  subject_types_supported: z.array(z.string()),
  id_token_signing_alg_values_supported: z.array(z.string()),
  token_endpoint_auth_methods_supported: z.array(z.string()),
  acr_values_supported: z.array(z.string()),
  claims_supported: z.array(z.string()),
  response_modes_supported: z.array(z.string()),
  prompt_values_supported: z.array(z.string()),
  code_challenge_methods_supported: z.array(z.string()),
  authorization_response_iss_parameter_supported: z.boolean(),
  client_id_metadata_document_supported: z.boolean(),
  request_parameter_supported: z.boolean(),
  request_uri_parameter_supported: z.boolean(),
});

/** The second is where clients look that know OAuth alone (RFC 8414): both say the same. */
const PATHS = ['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server'];

/** OpenID Connect Discovery 1.0, section 3, and RFC 8414. */
export function getDiscoveryRoute(iam: Profile): void {
  for (const path of PATHS) discoveryRoute(iam, path);
}

function discoveryRoute(iam: Profile, path: string): void {
  registerRoute(
    iam,
    {
      access: { credential: 'oauth' },
      bucket: 'public',
      passesOverQuery: 'a document that programs of any kind ask for',
    },
    createRoute({
      method: 'get',
      path,
      summary: 'Metadata of the provider',
      responses: { 200: { description: 'Provider metadata', content: { 'application/json': { schema: Discovery } } } },
    }),
    (c) => {
      const issuer = c.env.IAM_ISSUER;
      c.set('readableBy', '*');
      return c.json(
        {
          issuer,
          authorization_endpoint: `${issuer}${AUTHORIZE_PATH}`,
          token_endpoint: `${issuer}/api/login/oauth/access_token`,
          ...(isRegistrationOpen(c.env) ? { registration_endpoint: `${issuer}${REGISTER_PATH}` } : {}),
          userinfo_endpoint: `${issuer}/api/userinfo`,
          revocation_endpoint: `${issuer}/api/login/oauth/revoke`,
          end_session_endpoint: `${issuer}${SIGN_OUT_PATH}`,
          jwks_uri: `${issuer}/.well-known/jwks`,
          scopes_supported: ['openid', 'profile', 'email', 'phone', 'offline_access'],
          grant_types_supported: ['authorization_code', 'password', 'client_credentials', 'refresh_token'],
          response_types_supported: ['code'],
          subject_types_supported: ['public'],
          id_token_signing_alg_values_supported: [SIGNING_ALGORITHM],
          token_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
          acr_values_supported: [...ACR_VALUES],
          claims_supported: [
            'sub',
            'owner',
            'name',
            'email',
            'email_verified',
            'phone_number',
            'auth_time',
            'acr',
            'amr',
            'nonce',
            'sid',
          ],
          response_modes_supported: ['query'],
          prompt_values_supported: ['none', 'login', 'consent', 'select_account'],
          code_challenge_methods_supported: ['S256'],
          authorization_response_iss_parameter_supported: true,
          client_id_metadata_document_supported: true,
          request_parameter_supported: false,
          request_uri_parameter_supported: false,
        },
        200,
      );
    },
  );
}
