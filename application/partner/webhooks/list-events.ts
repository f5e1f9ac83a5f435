import { database } from '../../../data/database.ts';
import { type Bearer, tokenStandsNow } from '../../../data/identity/bearer.ts';
import { isHeldBack } from '../../../data/webhooks/endpoints.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import { eventsOfRole, type WebhookEvent } from '../../../domain/webhooks/webhook-event.ts';
import type { WebhookOwner } from '../../../domain/webhooks/webhook-owner.ts';
import { type EventsPage, type EventsQuery, partnerEventsOf } from '../../../durable-objects/partner-events/api.ts';
import { type ApiError, apiError } from '../../../protocol/errors/api-error.ts';
import { askAgain } from '../../objects/ask-again.ts';
import { outsideRole } from './outside-role.ts';

type EventsEnv = Pick<Env, 'DB' | 'PARTNER_EVENTS'>;

/** What is asked of the list; no types are all that the role receives. */
export type ListedEvents = Omit<EventsQuery, 'types'> & { readonly types: readonly WebhookEvent[] | null };

/** What an organization was told of, or would have been, in the order of webhooks; waits for the next event where there is none. */
export async function listEvents(
  env: EventsEnv,
  { organization, role }: WebhookOwner,
  query: ListedEvents,
  bearer: Bearer,
): Promise<Result<EventsPage, ApiError>> {
  // Also where the role was another one when they were told.
  const types = query.types ?? eventsOfRole(role);
  const outside = outsideRole(role, types, 'types');
  if (outside !== null) return err(outside);
  const until = Date.now() + query.waitMs;
  const page = await askAgain(() => {
    const waitMs = Math.max(0, until - Date.now());
    return partnerEventsOf(env, organization).read({ ...query, types, waitMs });
  });
  if (page === null) return err(unknownEvent());
  // Who may no longer read learns nothing of what happened while they waited: their next request says why.
  if (query.waitMs > 0 && page.events.length > 0 && !(await mayStillRead(env, organization, bearer)))
    return ok({ events: [], hasMore: false, last: query.after });
  return ok(page);
}

/** Of an organization that is gone. */
export async function clearEvents(
  env: Pick<EventsEnv, 'PARTNER_EVENTS'>,
  { organization }: WebhookOwner,
): Promise<void> {
  await askAgain(() => partnerEventsOf(env, organization).clear());
}

async function mayStillRead({ DB }: EventsEnv, organization: string, bearer: Bearer): Promise<boolean> {
  const db = database(DB);
  const [isSuspended, hasToken] = await Promise.all([isHeldBack(db, organization), tokenStandsNow(db, bearer)]);
  return hasToken && !isSuspended;
}

function unknownEvent(): ApiError {
  const details = { field: 'after', reason: 'unknown_event' };
  return apiError('VALIDATION_ERROR', 'no event of this id was told to the organization in the last 30 days', details);
}
