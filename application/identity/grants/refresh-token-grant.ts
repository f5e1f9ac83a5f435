import { database } from '../../../data/database.ts';
import { findAuthorizationOfGrant } from '../../../data/identity/authorizations.ts';
import type { OAuthClient } from '../../../data/identity/oauth-clients.ts';
import { findRefreshToken, type RefreshTokenRow, useRefreshToken } from '../../../data/identity/refresh-tokens.ts';
import { findUser } from '../../../data/identity/users.ts';
import { parseScope } from '../../../domain/identity/oidc-scope.ts';
import type { SignInRefusal } from '../../../domain/identity/sign-in-entry.ts';
import { ok, type Result } from '../../../domain/result.ts';
import { log } from '../../../durable-objects/log/log.ts';
import { bindingOfGrant } from '../authorization/bound-grant.ts';
import type { Caller } from '../caller.ts';
import { sha256Hex } from '../sha256-hex.ts';
import { recordSignIn } from '../sign-ins/record-sign-in.ts';
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
  fields: GrantFields,
): Promise<Result<IssuedTokens | null, OAuthError>> {
  const { refreshToken, resource } = fields;
  if (refreshToken === undefined) return oauthError('invalid_request', 'refresh_token is required');
  const db = database(env.DB);
  const token = await findRefreshToken(db, await sha256Hex(refreshToken));
  if (token === null || token.clientId !== client.id) return INVALID;
  // Before anything is spent: nothing is wrong with the token.
  if (resource !== undefined && ((await findAuthorizationOfGrant(db, token.family))?.resource ?? resource) !== resource)
    return oauthError('invalid_target', 'the grant is for another resource');
  const user = await findUser(db, token.userId);
  if (!(await useRefreshToken(db, token.hash, Date.now()))) {
    const isReused = token.revokedAt === null && token.expiresAt > Date.now();
    if (isReused) await endReused(token, fields, env);
    else fields.later(recordSignIn(env, { ...refusalOf(token, fields), reason: OUT_OF_DATE }));
    return INVALID;
  }
  const scope = parseScope(token.scope);
  if (user === null || scope === null) return INVALID;
  const binding = await bindingOfGrant(env, { family: token.family, clientId: client.id });
  if (binding === 'ended') {
    await endGrant(token, env);
    return INVALID;
  }
  const { id: subject, owner } = user;
  const request = {
    subject,
    owner,
    clientId: client.id,
    user,
    machine: false,
    scope,
    family: token.family,
    binding,
    caller: fields,
  };
  const tokens = await issueTokens(request, env);
  if (tokens === null) fields.later(recordSignIn(env, { ...refusalOf(token, fields), reason: SESSION_OVER }));
  return ok(tokens);
}

const OUT_OF_DATE: SignInRefusal = 'refresh_token_out_of_date';
const SESSION_OVER: SignInRefusal = 'session_over';

function refusalOf({ userId, clientId, family: sessionId }: RefreshTokenRow, caller: Caller) {
  return { userId, type: 'refused', clientId, sessionId, caller } as const;
}

/** Ends the grant of a token that was shown twice, and tells operators and its user: one of the two who showed it has stolen it. */
async function endReused({ family, userId, clientId }: RefreshTokenRow, caller: Caller, env: Env): Promise<void> {
  log('error', 'a refresh token was used twice: its session has ended', {
    user: userId,
    client: clientId,
    session: family,
  });
  await endGrant({ family, userId }, env);
  await recordSignIn(env, { userId, type: 'refresh_token_reused', clientId, sessionId: family, caller });
}

const INVALID = oauthError('invalid_grant', 'the refresh token is unknown, used, revoked or out of date');
