import { base64url } from 'jose';
import { database } from '../../../data/database.ts';
import { type Authorization, findAuthorization, useAuthorization } from '../../../data/identity/authorizations.ts';
import type { OAuthClient } from '../../../data/identity/oauth-clients.ts';
import { keepRegisteredClient } from '../../../data/identity/registered-clients.ts';
import { findUser } from '../../../data/identity/users.ts';
import { isCodeVerifier } from '../../../domain/identity/authorization-request.ts';
import { parseScope } from '../../../domain/identity/oidc-scope.ts';
import type { SignInRefusal } from '../../../domain/identity/sign-in-entry.ts';
import { ok, type Result } from '../../../domain/result.ts';
import { log } from '../../../durable-objects/log/log.ts';
import { bindingOf, grantKeptUntil } from '../authorization/bound-grant.ts';
import type { Caller } from '../caller.ts';
import { isEqual } from '../is-equal.ts';
import { sha256Hex } from '../sha256-hex.ts';
import { recordSignIn } from '../sign-ins/record-sign-in.ts';
import { endGrant } from '../tokens/end-grant.ts';
import { type IssuedTokens, issueTokens } from '../tokens/issue-tokens.ts';
import type { GrantFields } from './grant-fields.ts';
import { type OAuthError, oauthError } from './oauth-error.ts';

/**
 * OAuth 2.1, 4.1.3, with PKCE of S256 alone: the code of this client, with the same place of answer, by whoever knows its verifier, once. A
 * code that is shown again was stolen, or was used by a thief, so what it has given ends. What does not fit together is the same `invalid_grant`.
 */
export async function authorizationCodeGrant(
  env: Env,
  client: OAuthClient,
  fields: GrantFields,
): Promise<Result<IssuedTokens | null, OAuthError>> {
  const { code, redirectUri, codeVerifier, resource } = fields;
  if (code === undefined || redirectUri === undefined || codeVerifier === undefined)
    return oauthError('invalid_request', 'code, redirect_uri and code_verifier are required');
  const db = database(env.DB);
  const grant = await findAuthorization(db, await sha256Hex(code));
  if (grant === null || grant.clientId !== client.id) return INVALID;
  if (grant.usedAt !== null) {
    await endReused(env, grant, fields);
    return INVALID;
  }
  if (grant.redirectUri !== redirectUri || !(await isVerifierOf(grant.challenge, codeVerifier))) return INVALID;
  if (resource !== undefined && resource !== grant.resource)
    return oauthError('invalid_target', 'the code was given for another resource');
  const user = await findUser(db, grant.userId);
  const scope = parseScope(grant.scope);
  if (user === null || scope === null) return INVALID;
  const now = Date.now();
  if (!(await useAuthorization(db, { codeHash: grant.codeHash, now, keptUntil: grantKeptUntil(now) }))) {
    const current = await findAuthorization(db, grant.codeHash);
    if (current !== null && current.usedAt !== null) await endReused(env, grant, fields);
    return INVALID;
  }
  await keepRegisteredClient(db, client.id, now);
  const { family, nonce } = grant;
  const { id: subject, owner } = user;
  const binding = bindingOf(grant, nonce);
  const request = { subject, owner, clientId: client.id, user, machine: false, scope, family, binding, caller: fields };
  return ok(await issueTokens(request, env));
}

/** One of the two who have shown the code has stolen it. */
async function endReused(env: Env, grant: Authorization, caller: Caller): Promise<void> {
  const { family: sessionId, userId, clientId } = grant;
  log('error', 'an authorization code was used twice: its session has ended', { user: userId, client: clientId });
  await endGrant(grant, env);
  const reason: SignInRefusal = 'authorization_code_reused';
  await recordSignIn(env, { userId, type: 'refused', reason, clientId, sessionId, caller });
}

/** RFC 7636, 4.6. */
async function isVerifierOf(challenge: string, verifier: string): Promise<boolean> {
  if (!isCodeVerifier(verifier)) return false;
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  return isEqual(base64url.encode(new Uint8Array(digest)), challenge);
}

const INVALID = oauthError('invalid_grant', 'the code is unknown, used, out of date or of another request');
