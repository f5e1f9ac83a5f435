import { database } from '../../../data/database.ts';
import { findApiKey, replaceApiKeySecret } from '../../../data/identity/api-keys.ts';
import { sealSecret } from '../../../data/identity/sealed-secret.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import { type ApiError, apiError } from '../../../protocol/errors/api-error.ts';
import { invalidateKey } from '../invalidate-gates.ts';
import { randomSecret } from '../random-secret.ts';
import { type Actor, bearerOf } from '../recorded-use.ts';
import { entryOf } from '../sign-ins/record-sign-in.ts';
import { isOwnKey, noSuchKey } from './find-managed-key.ts';

/** Gives the caller's own key another secret, and answers it. The last one ends at once; orders stay. */
export async function rotateKey(
  env: Env,
  actor: Pick<Actor, 'principal' | 'tokenIssuedAt'>,
  keyId: string,
): Promise<Result<string, ApiError>> {
  const db = database(env.DB);
  const key = await findApiKey(db, keyId);
  if (key === null || !isOwnKey(actor.principal, key)) return err(noSuchKey());
  const secret = randomSecret();
  const sealed = await sealSecret(secret, env.API_KEY_MASTER_KEY, key.id);
  const entry = await entryOf({ userId: key.userId, type: 'key_rotated', keyId: key.id }, env);
  if (!(await replaceApiKeySecret(db, key.id, sealed, bearerOf(actor), Date.now(), entry)))
    return err(apiError('CONFLICT', 'the key is revoked'));
  await invalidateKey(env, key.id);
  return ok(secret);
}
