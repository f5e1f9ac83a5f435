import { type IdempotencyKeysApi, idempotencyKeysOf } from '../../durable-objects/idempotency-keys/api.ts';
import { log } from '../../durable-objects/log/log.ts';
import { describeBug } from '../log/describe-bug.ts';
import { askAgain } from '../objects/ask-again.ts';

/** Asks the object that keeps the Idempotency-Keys of a scope, a second time where it was lost. Null when it stays out of reach. */
export async function askIdempotencyKeys<T extends NonNullable<unknown>>(
  env: Env,
  scope: string,
  ask: (keys: IdempotencyKeysApi) => Promise<T>,
): Promise<T | null> {
  try {
    return await askAgain(() => ask(idempotencyKeysOf(env, scope)));
  } catch (error) {
    log('error', 'Idempotency-Keys out of reach', describeBug(error));
    return null;
  }
}
