import { eventsDatabase } from '../../../data/events/database.ts';
import { endRetention } from '../../../data/events/retention/retention.ts';
import { type EventRow, findEventOrDeleted } from '../../../data/events/sites/events.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import { type ApiError, apiError } from '../../../protocol/errors/api-error.ts';
import { notFound } from '../not-found.ts';
import { shredEvent } from './shred-event.ts';

/** Shreds an event that somebody else deleted, without waiting for the end of its retention: two people want it gone. */
export async function shredDeletedEvent(
  env: Env,
  tenant: string,
  { id, by }: { readonly id: string; readonly by: string },
): Promise<Result<EventRow, ApiError>> {
  const db = eventsDatabase(env.EVENTS_DB);
  const event = await findEventOrDeleted(db, tenant, id);
  if (event === null) return err(notFound('event'));
  if (event.deletedAt === null) return err(apiError('CONFLICT', 'only a deleted event is shredded'));
  const isDue = (event.shredAt ?? Number.POSITIVE_INFINITY) <= Date.now();
  if (!isDue && (event.deletedBy === null || event.deletedBy === by))
    return err(apiError('CONFLICT', 'somebody else than who deleted the event ends its retention'));
  if (event.shreddedAt === null) {
    // Whoever takes the deletion back in between keeps the event. Interrupted from here on, the hourly sweep goes on.
    if (!(await endRetention(db, event.id, Date.now())))
      return err(apiError('CONFLICT', 'only a deleted event is shredded'));
    await shredEvent(env, event);
  }
  return ok((await findEventOrDeleted(db, tenant, event.id)) ?? event);
}
