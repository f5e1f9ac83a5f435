import { database } from '../../../data/database.ts';
import { findApiKey, type StoredApiKey } from '../../../data/identity/api-keys.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import { type ApiError, apiError } from '../../../protocol/errors/api-error.ts';
import { projected } from '../../ledger/projected.ts';
import { revokeApiKey } from '../../ledger/revoke.ts';
import { tellNow } from '../../mail/tell-now.ts';
import type { CancelledOrders } from '../../order-book/cancel-in-books.ts';
import { cancelUntilNone } from '../../order-book/cancel-until-none.ts';
import { hourlyId } from '../hourly-id.ts';
import { invalidateKey } from '../invalidate-gates.ts';
import { type Actor, recordedUse } from '../recorded-use.ts';
import { recordRefusedPower } from '../refused-power.ts';
import { recordSignIn } from '../sign-ins/record-sign-in.ts';
import { findManagedKey, isOwnKey, noSuchKey } from './find-managed-key.ts';

type Revoked = Result<CancelledOrders, ApiError>;

/** The kill switch of a key: it ends at once and its open orders are cancelled. Answers the ids of these. */
export async function revokeKey(env: Env, actor: Actor, keyId: string): Promise<Revoked> {
  const { principal } = actor;
  const key = await findManagedKey(env, principal, keyId, 'manage_credentials');
  if (key === null) {
    const isOthers = (await findApiKey(database(env.DB), keyId)) !== null;
    if (isOthers) await recordRefusedPower(env, actor, { power: 'manage_credentials', attempt: `revoke key ${keyId}` });
    return err(noSuchKey());
  }
  if (isOwnKey(principal, key)) return endKey(env, key);
  const use = { actor, type: 'operator.key_revoked', subject: key.userId, details: { keyId } };
  return recordedUse(env, use, () => endKey(env, key));
}

/** Ends a key for good, whoever asks for it. */
export async function endKey(env: Env, key: StoredApiKey): Promise<Revoked> {
  const ended = await revokeApiKey(env, key, Date.now());
  if (ended === null) return err(apiError('SERVICE_UNAVAILABLE', 'no answer from the ledger: repeat'));
  // A repetition within the hour is the same entry.
  const entry = { userId: key.userId, type: 'key_revoked', keyId: key.id } as const;
  await recordSignIn(env, { ...entry, id: await hourlyId(Date.now(), `key revoked ${key.id}`) });
  const facts = { name: key.name, at: new Date().toISOString() };
  await tellNow(env, { kind: 'key_revoked', source: key.id, userId: key.userId, facts });
  const command = { account: key.account, keyId: key.id, side: null, reason: 'revoked' } as const;
  const { unreachable, ...cancelled } = await cancelUntilNone(env, { ...ended, command });
  const isShown = await projected(env);
  await invalidateKey(env, key.id);
  if (!isShown) return err(apiError('SERVICE_UNAVAILABLE', 'revoked, but reads do not show it yet: repeat'));
  if (unreachable.length > 0)
    return err(apiError('SERVICE_UNAVAILABLE', 'revoked, but some books are out of reach: repeat', { unreachable }));
  return ok(cancelled);
}
