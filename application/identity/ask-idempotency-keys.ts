import type { IdempotencyKeysApi } from '../../durable-objects/idempotency-keys/api.ts';
import { log } from '../../durable-objects/log/log.ts';
import { describeBug } from '../log/describe-bug.ts';

/**
 * Asks the object that keeps the Idempotency-Keys of a scope; the same again on a fresh stub where the first was lost (a deployment
 * restarts objects). Null when it stays out of reach.
 */
export async function askIdempotencyKeys<T extends NonNullable<unknown>>(
  env: Env,
  scope: string,
  ask: (keys: IdempotencyKeysApi) => Promise<T>,
): Promise<T | null> {
  try {
    return await ask(keysOf(env, scope));
  } catch {
    try {
      return await ask(keysOf(env, scope));
    } catch (error) {
      log('error', 'Idempotency-Keys out of reach', describeBug(error));
      return null;
    }
  }
}

/** The binding's type wraps every value in disposables, which plain data never is; the object implements this interface. */
function keysOf(env: Env, scope: string): IdempotencyKeysApi {
  return env.IDEMPOTENCY_KEYS.getByName(scope) as unknown as IdempotencyKeysApi;
}
