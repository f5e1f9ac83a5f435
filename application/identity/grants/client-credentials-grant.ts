import { uuidv7 } from 'uuidv7';
import { database } from '../../../data/database.ts';
import { findOAuthClient, type OAuthClient } from '../../../data/identity/oauth-clients.ts';
import { findUser } from '../../../data/identity/users.ts';
import { parseScope } from '../../../domain/identity/oidc-scope.ts';
import { ok, type Result } from '../../../domain/result.ts';
import { recordSignIn } from '../sign-ins/record-sign-in.ts';
import { type IssuedTokens, issueTokens } from '../tokens/issue-tokens.ts';
import type { GrantFields } from './grant-fields.ts';
import { type OAuthError, oauthError } from './oauth-error.ts';

/** RFC 6749, 4.4: the client speaks for the user it is bound to, or for itself. It gets no refresh token (4.4.3). */
export async function clientCredentialsGrant(
  env: Env,
  client: OAuthClient,
  fields: GrantFields,
): Promise<Result<IssuedTokens | null, OAuthError>> {
  if (client.secretHash === null) return oauthError('unauthorized_client', 'a public client may not use this grant');
  const scope = parseScope(fields.scope);
  if (scope === null || scope.includes('offline_access')) return oauthError('invalid_scope', 'unknown scope');
  const db = database(env.DB);
  const user = client.userId === null ? null : await findUser(db, client.userId);
  if (user !== null && user.deactivatedAt !== null)
    return oauthError('unauthorized_client', 'the user that it speaks for is deactivated');
  if (user !== null && !user.service && client.agreedAt === null)
    return oauthError('unauthorized_client', 'the person that it speaks for has not agreed');
  // Read once the user is: a kill switch pulled before is seen here, one pulled since by who makes the tokens.
  const current = await findOAuthClient(db, client.id);
  if (current === null || current.revokedAt !== null || current.secretHash !== client.secretHash)
    return oauthError('invalid_client', 'client authentication failed');
  if (current.waitingSince !== null)
    return oauthError('unauthorized_client', 'the secret has ended: the client waits for another one');
  const subject = client.userId ?? client.id;
  const request = { subject, owner: client.owner, clientId: client.id, user, machine: true, scope, family: uuidv7() };
  const tokens = await issueTokens(request, env);
  if (tokens !== null)
    fields.later(
      recordSignIn(env, { userId: subject, type: 'machine_token_issued', clientId: client.id, caller: fields }),
    );
  return ok(tokens);
}
