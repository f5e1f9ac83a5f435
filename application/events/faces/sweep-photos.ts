import { eventsDatabase } from '../../../data/events/database.ts';
import { scopeOfCollection } from '../../../data/events/images/collections.ts';
import { facesOfPhotos } from '../../../data/events/images/faces.ts';
import { findUnstored } from '../../../data/events/images/photos.ts';
import { openScopeKeys } from '../../../data/events/keys/r2-scope-keys.ts';
import { log } from '../../../durable-objects/log/log.ts';
import { describeBug } from '../../log/describe-bug.ts';
import { takeBackPhotos } from './take-back-photos.ts';

/** Longer than any request runs. */
const ABANDONED_MS = 15 * 60_000;
const PHOTOS_MAX = 200;

/** Takes back what requests that died were storing. Where the key is gone, the shredding that follows takes the rest. */
export async function sweepPhotos(env: Env): Promise<void> {
  const db = eventsDatabase(env.EVENTS_DB);
  const keys = openScopeKeys(env.EVENT_KEYS, env.EVENTS_MASTER_KEY);
  for (const { photo, collection } of await findUnstored(db, Date.now() - ABANDONED_MS, PHOTOS_MAX)) {
    try {
      const scope = scopeOfCollection(collection);
      const key = await keys.open(scope);
      if (key === null) continue;
      const faces = await facesOfPhotos(db, [photo.id]);
      await takeBackPhotos(env, { collection, scope, key }, [{ id: photo.id, objectKey: photo.objectKey, faces }]);
    } catch (error) {
      // It holds up no other, and is tried again in an hour.
      log('error', 'a photo was not taken back', { photo: photo.id, ...describeBug(error) });
    }
  }
}
