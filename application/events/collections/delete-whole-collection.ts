import { eventsDatabase } from '../../../data/events/database.ts';
import {
  type Collection,
  deleteCollection,
  retireCollection,
  scopeOfCollection,
} from '../../../data/events/images/collections.ts';
import { deleteImagesOf } from '../../../data/events/images/sealed-images.ts';
import { openScopeKeys } from '../../../data/events/keys/r2-scope-keys.ts';
import { forgetCollectionInTrail } from '../../../data/events/trail/staff-trail.ts';
import { eraseGalleries } from './gallery-shards.ts';

/**
 * Deletes a collection that belongs to no event: its name first, so that nothing finds it, then its key, so that nothing of it can be
 * read, then what lies about. Its row goes last; a sweep finishes what was interrupted.
 */
export async function deleteWholeCollection(env: Env, collection: Collection): Promise<void> {
  const db = eventsDatabase(env.EVENTS_DB);
  const scope = scopeOfCollection(collection);
  await retireCollection(db, collection.id);
  await openScopeKeys(env.EVENT_KEYS, env.EVENTS_MASTER_KEY).destroy(scope);
  await eraseGalleries(env, collection);
  await deleteImagesOf(env.EVENT_IMAGES, scope);
  const name = collection.deletedName ?? collection.name;
  await forgetCollectionInTrail(db, { id: collection.id, tenant: collection.tenant, name });
  await deleteCollection(db, collection.id);
}
