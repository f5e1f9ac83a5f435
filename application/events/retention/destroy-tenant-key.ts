import { eventsDatabase } from '../../../data/events/database.ts';
import { openScopeKeys } from '../../../data/events/keys/r2-scope-keys.ts';
import {
  beginDeparture,
  type Departure,
  recordTenantKeyDestroyed,
} from '../../../data/events/retention/retention-departures.ts';

/** Destroys the key of a tenant whose time to leave has come: from here on nothing that it ever stored can be read. Not where it was stopped. */
export async function destroyTenantKey(env: Env, { tenant, requestedAt }: Departure): Promise<void> {
  const db = eventsDatabase(env.EVENTS_DB);
  const begun = await beginDeparture(db, { tenant, requestedAt }, Date.now());
  if (begun === null) return;
  await openScopeKeys(env.EVENT_KEYS, env.EVENTS_MASTER_KEY).destroyTenant(tenant);
  await recordTenantKeyDestroyed(db, begun, Date.now());
}
