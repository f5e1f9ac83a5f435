import { database } from '../../../data/database.ts';
import { findApiKey, type StoredApiKey } from '../../../data/identity/api-keys.ts';
import { hasPowerOver, type Power } from '../../../domain/identity/powers.ts';
import type { Principal } from '../../../domain/identity/principal.ts';
import { type ApiError, apiError } from '../../../protocol/errors/api-error.ts';

/**
 * The key under this id, if it is the caller's own or one that they hold the power over; else null: another's id answers 404
 * (docs/design/identity.md#tenancy).
 */
export async function findManagedKey(
  env: Env,
  principal: Principal,
  keyId: string,
  power: Power,
): Promise<StoredApiKey | null> {
  const key = await findApiKey(database(env.DB), keyId);
  if (key === null) return null;
  return isOwnKey(principal, key) || hasPowerOver(principal, power, key.owner) ? key : null;
}

export function isOwnKey({ userId, owner }: Principal, key: StoredApiKey): boolean {
  return key.userId === userId && key.owner === owner;
}

export function noSuchKey(): ApiError {
  return apiError('NOT_FOUND', 'no such key');
}
