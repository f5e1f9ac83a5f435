import { database } from '../../../data/database.ts';
import type { OAuthClient } from '../../../data/identity/oauth-clients.ts';
import { findRefreshToken, useRefreshToken } from '../../../data/identity/refresh-tokens.ts';
import { findUser } from '../../../data/identity/users.ts';
import { parseScope } from '../../../domain/identity/oidc-scope.ts';
import { ok, type Result } from '../../../domain/result.ts';
import { bindingOfGrant } from '../authorization/bound-grant.ts';
import { sha256Hex } from '../sha256-hex.ts';
import { endGrant } from '../tokens/end-grant.ts';
import { type IssuedTokens, issueTokens } from '../tokens/issue-tokens.ts';
import type { GrantFields } from './grant-fields.ts';
import { type OAuthError, oauthError } from './oauth-error.ts';

/**
 * RFC 6749, 6, with rotation: each token serves once. One that is shown again was stolen, or its successor was, so the whole grant ends
 * (RFC 9700, 4.14.2). The scope stays the first one's.
 */
export async function refreshTokenGrant(
  env: Env,
  client: OAuthClient,
  { refreshToken, resource }: GrantFields,
): Promise<Result<IssuedTokens | null, OAuthError>> {
  if (refreshToken === undefined) return oauthError('invalid_request', 'refresh_token is required');
  const db = database(env.DB);
  const token = await findRefreshToken(db, await sha256Hex(refreshToken));
  if (token === null || token.clientId !== client.id) return INVALID;
  const user = await findUser(db, token.userId);
  if (!(await useRefreshToken(db, token.hash, Date.now()))) {
    if (token.revokedAt === null && token.expiresAt > Date.now()) await endGrant(token, env);
    return INVALID;
  }
  const scope = parseScope(token.scope);
  if (user === null || scope === null) return INVALID;
  const binding = await bindingOfGrant(env, token.family, resource);
  if (binding === 'ended') {
    await endGrant(token, env);
    return INVALID;
  }
  const { id: subject, owner } = user;
  const request = { subject, owner, clientId: client.id, user, machine: false, scope, family: token.family, binding };
  return ok(await issueTokens(request, env));
}

const INVALID = oauthError('invalid_grant', 'the refresh token is unknown, used, revoked or out of date');
