import { eventsDatabase } from '../../data/events/database.ts';
import { openScopeKeys } from '../../data/events/keys/r2-scope-keys.ts';
import type { ScopeKey } from '../../data/events/keys/scope-key.ts';
import { type EventRow, eventScope, findEvent } from '../../data/events/sites/events.ts';

export interface OpenEvent {
  readonly event: EventRow;
  /** Opens what the event holds. */
  readonly key: ScopeKey;
}

/** An event of the tenant with its key; null when there is none, or it was deleted. */
export async function openEvent(env: Env, tenant: string, id: string): Promise<OpenEvent | null> {
  const event = await findEvent(eventsDatabase(env.EVENTS_DB), tenant, id);
  if (event === null) return null;
  const key = await openScopeKeys(env.EVENT_KEYS, env.EVENTS_MASTER_KEY).open(eventScope(event));
  return key === null ? null : { event, key };
}
