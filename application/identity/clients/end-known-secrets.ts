import { database } from '../../../data/database.ts';
import { findApiKey } from '../../../data/identity/api-keys.ts';
import { type KeyOfSecret, listKeysOfKnownSecrets, listKnownSecrets } from '../../../data/identity/oauth-clients.ts';
import { ACCESS_TOKEN_LIFETIME_S } from '../../../domain/identity/token-lifetime.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import { type ApiError, apiError } from '../../../protocol/errors/api-error.ts';
import { endEverything } from '../end-everything.ts';
import { endKey } from '../keys/revoke-key.ts';
import { tokensEndedBefore } from './people-behind.ts';

/** Clients whose users a call ends; each asks the ledger and books. */
const KNOWN_SECRETS_MAX = 50;
/** Keys that a call ends beside them: each asks the same. */
const KEYS_MAX = 50;

/**
 * Ends what somebody was shown of others, when they stop being an operator: each user that a client they know the secret of speaks for loses
 * tokens and keys, and their clients wait for another secret. Of a service whose secret was replaced long ago, the keys end that were made while
 * they could make one. Repeated, it goes on.
 *
 * @returns ids of the clients
 */
export async function endKnownSecrets(env: Env, operator: string): Promise<Result<readonly string[], ApiError>> {
  const period = { since: tokensEndedBefore(Date.now()), limit: KNOWN_SECRETS_MAX };
  const known = await listKnownSecrets(database(env.DB), operator, period);
  let failure: ApiError | null = null;
  for (const userId of new Set(known.map(({ userId }) => userId))) {
    const ended = await endEverything(env, userId);
    if (!ended.ok) failure ??= ended.error;
  }
  if (failure !== null) return err(failure);
  if (known.length === KNOWN_SECRETS_MAX)
    return err(apiError('SERVICE_UNAVAILABLE', 'ended, but not yet every secret that was shown: repeat'));
  const keys = await endKeysOfSecrets(env, operator);
  return keys.ok ? ok([...new Set([...known, ...keys.value].map(({ client }) => client))]) : keys;
}

async function endKeysOfSecrets(env: Env, operator: string): Promise<Result<readonly KeyOfSecret[], ApiError>> {
  const db = database(env.DB);
  const period = { tokenMs: ACCESS_TOKEN_LIFETIME_S * 1_000, limit: KEYS_MAX };
  const keys = await listKeysOfKnownSecrets(db, operator, period);
  let failure: ApiError | null = null;
  for (const { id } of keys) {
    const key = await findApiKey(db, id);
    const ended = key === null ? ok(null) : await endKey(env, key);
    if (!ended.ok) failure ??= ended.error;
  }
  if (failure !== null) return err(failure);
  return keys.length < KEYS_MAX
    ? ok(keys)
    : err(apiError('SERVICE_UNAVAILABLE', 'ended, but not yet every key that was made by a secret: repeat'));
}
