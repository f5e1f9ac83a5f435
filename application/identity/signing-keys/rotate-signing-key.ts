import { database } from '../../../data/database.ts';
import { addSigningKey } from '../../../data/identity/signing-keys.ts';
import { ACCESS_TOKEN_LIFETIME_S } from '../../../domain/identity/token-lifetime.ts';
import { ok, type Result } from '../../../domain/result.ts';
import type { ApiError } from '../../../protocol/errors/api-error.ts';
import { type Actor, recordedUse } from '../recorded-use.ts';
import { ACTIVATION_MS, chooseSigningKey } from './choose-signing-key.ts';
import { createSigningKey } from './create-signing-key.ts';
import { forgetSigningKey, publishedKeys } from './signing-key.ts';

export interface KeyRotation {
  readonly kid: string;
  /** Ids of the keys that were retired. */
  readonly retired: readonly string[];
}

/**
 * Adds a signing key, which signs once verifiers can know it, and retires keys whose last token has expired.
 *
 * @param retire `at_once` retires every other key: for a key that leaked. Tokens it signed end with it
 */
export function rotateSigningKey(
  env: Env,
  actor: Actor,
  retire: 'unused' | 'at_once',
): Promise<Result<KeyRotation, ApiError>> {
  const use = { actor, type: 'operator.signing_key_rotated', subject: 'venue', details: { retire } };
  return recordedUse(env, use, async () => {
    const now = Date.now();
    const keys = await publishedKeys(env);
    const retired = (retire === 'at_once' ? keys : unusedKeys(keys, now)).map((key) => key.kid);
    const key = await createSigningKey(env, now);
    await addSigningKey(database(env.DB), key, retired);
    forgetSigningKey();
    return ok({ kid: key.kid, retired });
  });
}

/** Keys older than the one that signs, once it has signed for as long as a token lives. */
function unusedKeys<Key extends { readonly kid: string; readonly createdAt: number }>(
  keys: readonly Key[],
  now: number,
): Key[] {
  const signing = chooseSigningKey(keys, now);
  if (signing === null || signing.createdAt + ACTIVATION_MS + ACCESS_TOKEN_LIFETIME_S * 1_000 > now) return [];
  return keys.filter((key) => key.createdAt < signing.createdAt);
}
