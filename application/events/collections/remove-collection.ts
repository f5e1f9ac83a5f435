import { eventsDatabase } from '../../../data/events/database.ts';
import {
  findCollection,
  findDeletedCollection,
  restoreCollection,
  softDeleteCollection,
} from '../../../data/events/images/collections.ts';
import { ownId } from '../../../domain/identity/own-id.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import { type ApiError, apiError } from '../../../protocol/errors/api-error.ts';
import { notFound } from '../not-found.ts';
import { retentionMsOf } from '../retention/retention.ts';

/** Deletes a collection of the tenant's own: nothing finds it, and its key is destroyed once it was retained as long as an event. */
export async function removeCollection(
  env: Env,
  tenant: string,
  { name, by }: { readonly name: string; readonly by: string },
): Promise<Result<null, ApiError>> {
  const db = eventsDatabase(env.EVENTS_DB);
  const collection = (await findCollection(db, tenant, name)) ?? (await findCollection(db, tenant, ownId(name)));
  if (collection === null) return err(notFound('the collection'));
  if (collection.eventId !== null)
    return err(
      apiError('CONFLICT', 'the collection of an event is deleted with the event', { event_id: collection.eventId }),
    );
  await softDeleteCollection(db, collection, { deletedBy: by, shredAt: Date.now() + retentionMsOf(env) });
  return ok(null);
}

/** Gives a deleted collection its name back while it is retained. */
export async function giveCollectionBack(env: Env, tenant: string, id: string): Promise<Result<null, ApiError>> {
  const db = eventsDatabase(env.EVENTS_DB);
  if (await restoreCollection(db, { tenant, id, now: Date.now() })) return ok(null);
  const deleted = await findDeletedCollection(db, tenant, id);
  return err(
    deleted === null
      ? notFound('the deleted collection')
      : apiError('CONFLICT', 'another collection has its name, or its retention is over'),
  );
}
