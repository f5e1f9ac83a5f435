import { database } from '../../../data/database.ts';
import { type ApiKey, setApiKeyRateLimits } from '../../../data/identity/api-keys.ts';
import type { Principal } from '../../../domain/identity/principal.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import type { ApiError } from '../../../protocol/errors/api-error.ts';
import { invalidateKey } from '../invalidate-gates.ts';
import { findManagedKey, noSuchKey } from './find-managed-key.ts';

/** Sets the requests per window of a key; buckets left out have their defaults. */
export async function raiseRateLimits(
  env: Env,
  principal: Principal,
  keyId: string,
  limits: NonNullable<ApiKey['rateLimits']>,
): Promise<Result<null, ApiError>> {
  const key = await findManagedKey(env, principal, keyId);
  if (key === null) return err(noSuchKey());
  await setApiKeyRateLimits(database(env.DB), key.id, limits);
  await invalidateKey(env, key.id);
  return ok(null);
}
