import { eventsDatabase } from '../../data/events/database.ts';
import { openScopeKeys } from '../../data/events/keys/r2-scope-keys.ts';
import type { ScopeKey } from '../../data/events/keys/scope-key.ts';
import { type EventRow, eventScope, findEvent } from '../../data/events/sites/events.ts';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';
import type { AppContext } from '../middleware/app-env.ts';
import { tenancyOf } from './tenancy.ts';

export interface OpenEvent {
  readonly event: EventRow;
  /** Opens what the event holds. */
  readonly key: ScopeKey;
}

/** An event of the caller's tenant with its key; null when there is none, or it was deleted. */
export async function openEvent(c: AppContext, id: string): Promise<OpenEvent | null> {
  const event = await findEvent(eventsDatabase(c.env.EVENTS_DB), tenancyOf(c).tenant, id);
  if (event === null) return null;
  const key = await openScopeKeys(c.env.EVENT_KEYS, c.env.EVENTS_MASTER_KEY).open(eventScope(event));
  return key === null ? null : { event, key };
}

/** Of another tenant, deleted, or never there: the answer is the same. */
export function notFound(what: string): ApiError {
  return apiError('NOT_FOUND', `${what} does not exist`);
}
