import { database } from '../../../data/database.ts';
import { findApiKey } from '../../../data/identity/api-keys.ts';
import {
  type ClientConsent,
  endClientConsent,
  findOwnConsent,
  keysOfConsent,
} from '../../../data/identity/client-consents.ts';
import { ACCESS_TOKEN_LIFETIME_S } from '../../../domain/identity/token-lifetime.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import { type ApiError, apiError } from '../../../protocol/errors/api-error.ts';
import { invalidateUser } from '../invalidate-gates.ts';
import { endKey } from '../keys/revoke-key.ts';

/** Ends what a person has allowed a client: its keys with their open orders, then every token that came of it. Repeated, it goes on. */
export async function endConsent(env: Env, userId: string, id: string): Promise<Result<ClientConsent, ApiError>> {
  const db = database(env.DB);
  const consent = await findOwnConsent(db, userId, id);
  if (consent === null) return err(apiError('NOT_FOUND', 'no such consent'));
  const keys = new Set([...(consent.keyId === null ? [] : [consent.keyId]), ...(await keysOfConsent(db, id))]);
  for (const keyId of keys) {
    const key = await findApiKey(db, keyId);
    if (key === null || key.status !== 'active') continue;
    const ended = await endKey(env, key);
    if (!ended.ok) return ended;
  }
  const now = Date.now();
  // Twice: a token may be made by who has spent its code just before.
  await endClientConsent(db, { id, now, tokensExpireAt: now + 2 * ACCESS_TOKEN_LIFETIME_S * 1_000 });
  await invalidateUser(env, userId);
  return ok(consent);
}
