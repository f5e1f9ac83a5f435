import { createRoute, z } from '@hono/zod-openapi';
import { registerOwnClient } from '../../../application/identity/authorization/register-client.ts';
import { apiError } from '../../../protocol/errors/api-error.ts';
import { clientAddressOf } from '../../middleware/client-address.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { type FailureResponse, failure } from '../../responses/failure.ts';
import { oauthFailures } from './oauth-failure.ts';

export const REGISTER_PATH = '/api/login/oauth/register';

const BODY_BYTES_MAX = 16_384;

/** RFC 7591, 3.2.1. */
const Registered = z.object({
  client_id: z.string(),
  client_id_issued_at: z.int(),
  client_name: z.string(),
  redirect_uris: z.array(z.string()),
  post_logout_redirect_uris: z.array(z.string()),
  grant_types: z.array(z.string()),
  response_types: z.array(z.string()),
  token_endpoint_auth_method: z.literal('none'),
});

export function isRegistrationOpen(env: Pick<Env, 'CLIENT_REGISTRATION'>): boolean {
  return (env.CLIENT_REGISTRATION as string) === 'open';
}

/** RFC 7591: an application registers itself, without a secret. It opens nothing until a person allows it. */
export function registerClientRoute(iam: Profile): void {
  registerRoute(
    iam,
    {
      access: { credential: 'oauth' },
      bucket: 'public',
      takesBody: true,
      bodyBytesMax: BODY_BYTES_MAX,
      passesOverQuery: 'RFC 6749, 3.2: unknown parameters are ignored',
      errors: ['NOT_FOUND'],
    },
    createRoute({
      method: 'post',
      path: REGISTER_PATH,
      summary: 'Register an application that signs people in (RFC 7591)',
      description:
        'The body is JSON with `redirect_uris` and, if wanted, `client_name` and `post_logout_redirect_uris`; what else it says is passed over. The client has no secret, and ends a day later where nobody has signed in through it.',
      responses: {
        ...oauthFailures,
        201: { description: 'The client', content: { 'application/json': { schema: Registered } } },
      },
    }),
    async (c) => {
      if (!isRegistrationOpen(c.env)) return failure(c, apiError('NOT_FOUND', 'no such resource'));
      const registered = await registerOwnClient(c.env, jsonOf(await c.req.text()), clientAddressOf(c));
      if (!registered.ok) {
        const { error, description } = registered.error;
        return c.json({ error, error_description: description }, 400) as unknown as FailureResponse;
      }
      const { id, name, redirectUris, postLogoutRedirectUris, createdAt } = registered.value;
      return c.json(
        {
          client_id: id,
          client_id_issued_at: Math.floor(createdAt / 1_000),
          client_name: name,
          redirect_uris: [...redirectUris],
          post_logout_redirect_uris: [...postLogoutRedirectUris],
          grant_types: ['authorization_code', 'refresh_token'],
          response_types: ['code'],
          token_endpoint_auth_method: 'none' as const,
        },
        201,
      );
    },
  );
}

/** Null for what is no JSON, which is no client. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
