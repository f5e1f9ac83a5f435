import { database } from '../../../data/database.ts';
import { findApiKey, type StoredApiKey } from '../../../data/identity/api-keys.ts';
import type { Principal } from '../../../domain/identity/principal.ts';
import { type ApiError, apiError } from '../../../protocol/errors/api-error.ts';
import { mayManageUser } from '../may-manage-user.ts';

/** The key under this id, or null where the caller may not manage it: another's id answers 404 (docs/design/identity.md#tenancy). */
export async function findManagedKey(env: Env, principal: Principal, keyId: string): Promise<StoredApiKey | null> {
  const key = await findApiKey(database(env.DB), keyId);
  return key !== null && mayManageUser(principal, { id: key.userId, owner: key.owner }) ? key : null;
}

export function noSuchKey(): ApiError {
  return apiError('NOT_FOUND', 'no such key');
}
