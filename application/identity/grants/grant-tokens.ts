import type { OAuthClient } from '../../../data/identity/oauth-clients.ts';
import type { Grant } from '../../../domain/identity/grant.ts';
import { ok, type Result } from '../../../domain/result.ts';
import type { IssuedTokens } from '../tokens/issue-tokens.ts';
import { authenticateClient, type ClientCredentials } from './authenticate-client.ts';
import { authorizationCodeGrant } from './authorization-code-grant.ts';
import { clientCredentialsGrant } from './client-credentials-grant.ts';
import type { GrantFields } from './grant-fields.ts';
import { type OAuthError, oauthError } from './oauth-error.ts';
import { passwordGrant } from './password-grant.ts';
import { refreshTokenGrant } from './refresh-token-grant.ts';

type GrantFlow = (
  env: Env,
  client: OAuthClient,
  fields: GrantFields,
) => Promise<Result<IssuedTokens | null, OAuthError>>;

const FLOWS: Readonly<Record<Grant, GrantFlow>> = {
  password: passwordGrant,
  client_credentials: clientCredentialsGrant,
  refresh_token: refreshTokenGrant,
  authorization_code: authorizationCodeGrant,
};

export function isGrant(text: string): text is Grant {
  return Object.hasOwn(FLOWS, text);
}

/** Tokens for a client that shows who it is and what entitles it to them. */
export async function grantTokens(
  env: Env,
  grant: Grant,
  credentials: ClientCredentials,
  fields: GrantFields,
): Promise<Result<IssuedTokens, OAuthError>> {
  const client = await authenticateClient(env, credentials, grant, fields);
  if (!client.ok) return client;
  const tokens = await FLOWS[grant](env, client.value, fields);
  if (!tokens.ok) return tokens;
  return tokens.value === null ? oauthError('invalid_grant', 'the grant was revoked') : ok(tokens.value);
}
