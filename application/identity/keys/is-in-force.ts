import type { StoredApiKey } from '../../../data/identity/api-keys.ts';
import { keyDaysMax, keyEnd } from '../../../domain/identity/key-end.ts';

/** Whether a key opens anything now: one that has ended by itself is revoked minutes later. */
export function isInForce(env: Pick<Env, 'API_KEY_DAYS_MAX'>, key: StoredApiKey, now: number): boolean {
  const end = keyEnd(key, keyDaysMax(env.API_KEY_DAYS_MAX));
  return key.status === 'active' && (end === null || end > now);
}
