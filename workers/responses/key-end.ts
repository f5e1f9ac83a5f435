import type { StoredApiKey } from '../../data/identity/api-keys.ts';
import { DAY_MS } from '../../domain/calendar/durations.ts';
import { keyDaysMax, keyEnd } from '../../domain/identity/key-end.ts';

/** When an API key ends by itself, and the day that it was used last, as every profile shows them. */
export function endAndUseOnWire(key: StoredApiKey, env: Pick<Env, 'API_KEY_DAYS_MAX'>) {
  const end = keyEnd(key, keyDaysMax(env.API_KEY_DAYS_MAX));
  return {
    expiresAt: end === null ? null : new Date(end).toISOString(),
    lastUsedOn: key.usedOn === null ? null : new Date(key.usedOn * DAY_MS).toISOString().slice(0, 10),
  };
}
