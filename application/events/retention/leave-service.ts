import { eventsDatabase } from '../../../data/events/database.ts';
import { recordDeparture } from '../../../data/events/retention/retention-departures.ts';
import { destroyTenantKey } from './destroy-tenant-key.ts';

/** A tenant leaves: its key is destroyed at once, and what that sealed is deleted within hours. Answers how many events go. */
export async function leaveService(env: Env, tenant: string, requestedBy: string): Promise<number> {
  const now = Date.now();
  const events = await recordDeparture(eventsDatabase(env.EVENTS_DB), { tenant, requestedBy, now });
  await destroyTenantKey(env, { tenant, requestedAt: now });
  return events;
}
