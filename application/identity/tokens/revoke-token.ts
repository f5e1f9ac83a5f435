import { database } from '../../../data/database.ts';
import { findRefreshToken } from '../../../data/identity/refresh-tokens.ts';
import { revokeAccessToken } from '../../../data/identity/revocations.ts';
import { verifyAccessToken } from '../../../durable-objects/credentials/access-token.ts';
import type { Caller } from '../caller.ts';
import { invalidateSubject } from '../invalidate-gates.ts';
import { sha256Hex } from '../sha256-hex.ts';
import { recordSignIn } from '../sign-ins/record-sign-in.ts';
import { endGrant } from './end-grant.ts';

/** RFC 7009: ends an access token, or a refresh token with its whole grant. A token that is not the client's is left as it is. */
export async function revokeToken(env: Env, token: string, clientId: string, caller: Caller): Promise<void> {
  const refresh = await findRefreshToken(database(env.DB), await sha256Hex(token));
  if (refresh !== null) {
    if (refresh.clientId !== clientId) return;
    await endGrant(refresh, env);
    const { userId, family: sessionId } = refresh;
    await recordSignIn(env, { userId, type: 'token_revoked', reason: 'by_client', clientId, sessionId, caller });
    return;
  }
  const access = await verifyAccessToken(token, env, () => true);
  if (!access.ok || access.value.clientId !== clientId) return;
  const { owner, subject, expiresAt, revocationIds } = access.value;
  const jti = revocationIds[0];
  if (jti === undefined) return;
  await revokeAccessToken(database(env.DB), jti, expiresAt * 1_000);
  await invalidateSubject(env, owner, subject);
  await recordSignIn(env, { userId: subject, type: 'token_revoked', reason: 'by_client', clientId, caller });
}
