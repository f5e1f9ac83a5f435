import { eventsDatabase } from '../../../data/events/database.ts';
import { endRetention } from '../../../data/events/retention/retention.ts';
import { type EventRow, findEventOrDeleted } from '../../../data/events/sites/events.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import { type ApiError, apiError } from '../../../protocol/errors/api-error.ts';
import type { Asker } from '../attendees/request-erasure.ts';
import { notFound } from '../not-found.ts';
import { shredEvent } from './shred-event.ts';

/**
 * Shreds an event that somebody else deleted, without waiting for the end of its retention: two people want it gone. A machine is neither of the two.
 */
export async function shredDeletedEvent(
  env: Env,
  tenant: string,
  { id, by }: { readonly id: string; readonly by: Asker },
): Promise<Result<EventRow, ApiError>> {
  const db = eventsDatabase(env.EVENTS_DB);
  const event = await findEventOrDeleted(db, tenant, id);
  if (event === null) return err(notFound('event'));
  if (event.deletedAt === null) return err(apiError('CONFLICT', 'only a deleted event is shredded'));
  if (event.shreddedAt === null) {
    const now = Date.now();
    // Whoever takes the deletion back in between keeps the event. Interrupted from here on, the hourly sweep goes on.
    if (!(await endRetention(db, { id: event.id, person: by.isMachine ? null : by.userId, now })))
      return err(apiError('CONFLICT', 'another person than who deleted the event ends its retention, and no machine'));
    await shredEvent(env, event);
  }
  return ok((await findEventOrDeleted(db, tenant, event.id)) ?? event);
}
