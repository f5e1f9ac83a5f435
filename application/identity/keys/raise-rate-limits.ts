import { database } from '../../../data/database.ts';
import { type ApiKey, findApiKey, setApiKeyRateLimits } from '../../../data/identity/api-keys.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import type { ApiError } from '../../../protocol/errors/api-error.ts';
import { invalidateKey } from '../invalidate-gates.ts';
import { type Actor, bearerOf, recordedUse } from '../recorded-use.ts';
import { noSuchKey } from './find-managed-key.ts';

/** Sets the requests per window of a key; buckets left out have their defaults. For holders of `set_rate_limits`. */
export async function raiseRateLimits(
  env: Env,
  actor: Actor,
  keyId: string,
  limits: NonNullable<ApiKey['rateLimits']>,
): Promise<Result<null, ApiError>> {
  const db = database(env.DB);
  const key = await findApiKey(db, keyId);
  if (key === null) return err(noSuchKey());
  const details = { keyId, before: key.rateLimits, after: limits };
  return recordedUse(env, { actor, type: 'operator.rate_limits_set', subject: key.userId, details }, async () => {
    await setApiKeyRateLimits(db, key.id, limits, bearerOf(actor));
    await invalidateKey(env, key.id);
    return ok(null);
  });
}
