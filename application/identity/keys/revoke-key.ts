import type { Principal } from '../../../domain/identity/principal.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import { type ApiError, apiError } from '../../../protocol/errors/api-error.ts';
import { projected } from '../../ledger/projected.ts';
import { revokeApiKey } from '../../ledger/revoke.ts';
import { cancelUntilNone } from '../../order-book/cancel-until-none.ts';
import { invalidateKey } from '../invalidate-gates.ts';
import { findManagedKey, noSuchKey } from './find-managed-key.ts';

/** The kill switch of a key: it ends at once and its open orders are cancelled. Answers their ids. */
export async function revokeKey(
  env: Env,
  principal: Principal,
  keyId: string,
): Promise<Result<readonly string[], ApiError>> {
  const key = await findManagedKey(env, principal, keyId);
  if (key === null) return err(noSuchKey());
  const ended = await revokeApiKey(env, key, Date.now());
  if (ended === null) return err(apiError('SERVICE_UNAVAILABLE', 'no answer from the ledger: repeat'));
  const command = { account: key.account, keyId: key.id, side: null, reason: 'revoked' } as const;
  const { orderIds, unreachable } = await cancelUntilNone(env, { ...ended, command });
  const isShown = await projected(env);
  await invalidateKey(env, key.id);
  if (!isShown) return err(apiError('SERVICE_UNAVAILABLE', 'revoked, but reads do not show it yet: repeat'));
  if (unreachable.length > 0)
    return err(apiError('SERVICE_UNAVAILABLE', 'revoked, but some books are out of reach: repeat', { unreachable }));
  return ok(orderIds);
}
