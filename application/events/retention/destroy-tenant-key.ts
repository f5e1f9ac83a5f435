import { eventsDatabase } from '../../../data/events/database.ts';
import { openScopeKeys } from '../../../data/events/keys/r2-scope-keys.ts';
import { type Departure, recordTenantKeyDestroyed } from '../../../data/events/retention/retention-departures.ts';

/** Destroys the key of a tenant that leaves: from here on nothing that it ever stored can be read. */
export async function destroyTenantKey(env: Env, departure: Pick<Departure, 'tenant' | 'requestedAt'>): Promise<void> {
  await openScopeKeys(env.EVENT_KEYS, env.EVENTS_MASTER_KEY).destroyTenant(departure.tenant);
  await recordTenantKeyDestroyed(eventsDatabase(env.EVENTS_DB), departure, Date.now());
}
