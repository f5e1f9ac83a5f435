import { eventsDatabase } from '../../../data/events/database.ts';
import { findCollection } from '../../../data/events/images/collections.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import { type ApiError, apiError } from '../../../protocol/errors/api-error.ts';
import { notFound } from '../not-found.ts';
import { deleteWholeCollection } from './delete-whole-collection.ts';

/** Deletes a collection of the tenant's own, with its key: whatever copy is left of it can be read no more. */
export async function removeCollection(env: Env, tenant: string, name: string): Promise<Result<null, ApiError>> {
  const collection = await findCollection(eventsDatabase(env.EVENTS_DB), tenant, name);
  if (collection === null) return err(notFound('the collection'));
  if (collection.eventId !== null)
    return err(apiError('CONFLICT', 'the collection of an event is deleted with the event', { event_id: name }));
  await deleteWholeCollection(env, collection);
  return ok(null);
}
