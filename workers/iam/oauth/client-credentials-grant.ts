import { uuidv7 } from 'uuidv7';
import { issueTokens } from '../../../application/identity/tokens/issue-tokens.ts';
import { database } from '../../../data/database.ts';
import type { OAuthClient } from '../../../data/identity/oauth-clients.ts';
import { findUser } from '../../../data/identity/users.ts';
import { parseScope } from '../../../domain/identity/oidc-scope.ts';
import type { TokenFields } from './token-form.ts';
import { type TokenResult, tokenRefused, tokenResultOf } from './token-result.ts';

/** RFC 6749, 4.4: the client speaks for the user it is bound to, or for itself. It gets no refresh token (4.4.3). */
export async function clientCredentialsGrant(client: OAuthClient, fields: TokenFields, env: Env): Promise<TokenResult> {
  if (client.secretHash === null) return tokenRefused('unauthorized_client', 'a public client may not use this grant');
  const scope = parseScope(fields.scope);
  if (scope === null || scope.includes('offline_access')) return tokenRefused('invalid_scope', 'unknown scope');
  const user = client.userId === null ? null : await findUser(database(env.DB), client.userId);
  const subject = client.userId ?? client.id;
  const tokens = await issueTokens(
    { subject, owner: client.owner, clientId: client.id, user, machine: true, scope, family: uuidv7() },
    env,
  );
  return tokenResultOf(tokens);
}
