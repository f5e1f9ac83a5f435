import { database } from '../../../data/database.ts';
import { listExpiredKeys } from '../../../data/identity/api-keys.ts';
import { keyDaysMax } from '../../../domain/identity/key-end.ts';
import { eachAlone, failFor } from '../../log/each-alone.ts';
import { endKey } from './revoke-key.ts';

/** Each asks the ledger and books. */
const KEYS_MAX = 50;

/**
 * Every five minutes: revokes keys whose end has come, with their open orders. Nothing has come by them since their end (the Gate holds that); what one of
 * them has left open is cancelled here. What fails or is left over waits for the next run; one that fails keeps back
 * none of the others.
 *
 * @throws AggregateError of those that failed, once all were tried
 */
export async function endExpiredKeys(env: Env, now: number): Promise<void> {
  const keys = await listExpiredKeys(database(env.DB), keyDaysMax(env.API_KEY_DAYS_MAX), now, KEYS_MAX);
  const failure = 'a key whose end has come was not ended';
  failFor(failure, await eachAlone(keys, { idOf: ({ id }) => id, failure }, (key) => endKey(env, key)));
}
