import { eventsDatabase } from '../../../data/events/database.ts';
import { scopeOfCollection } from '../../../data/events/images/collections.ts';
import { facesOfPhotos } from '../../../data/events/images/faces.ts';
import { findUnstored, type PhotoCursor } from '../../../data/events/images/photos.ts';
import { openScopeKeys } from '../../../data/events/keys/r2-scope-keys.ts';
import { log } from '../../../durable-objects/log/log.ts';
import { describeBug } from '../../log/describe-bug.ts';
import { takeBackPhotos } from './take-back-photos.ts';

/** Longer than any request runs. */
const ABANDONED_MS = 15 * 60_000;
const PHOTOS_PER_PAGE = 50;

/** Takes back all that requests that died were storing, as far as one invocation has queries for. Where the key is gone, the shredding that follows takes the rest. */
export async function sweepPhotos(env: Env): Promise<void> {
  const db = eventsDatabase(env.EVENTS_DB);
  const before = Date.now() - ABANDONED_MS;
  let after: PhotoCursor | null = null;
  for (;;) {
    const page = await findUnstored(db, { before, after, limit: PHOTOS_PER_PAGE });
    for (const unstored of page) await takeBack(env, unstored);
    after = page.at(-1)?.photo ?? null;
    if (page.length < PHOTOS_PER_PAGE) return;
  }
}

type Unstored = Awaited<ReturnType<typeof findUnstored>>[number];

async function takeBack(env: Env, { photo, collection }: Unstored): Promise<void> {
  try {
    const scope = scopeOfCollection(collection);
    const key = await openScopeKeys(env.EVENT_KEYS, env.EVENTS_MASTER_KEY).open(scope);
    if (key === null) return;
    const faces = await facesOfPhotos(eventsDatabase(env.EVENTS_DB), [photo.id]);
    await takeBackPhotos(env, { collection, scope, key }, [{ id: photo.id, objectKey: photo.objectKey, faces }]);
  } catch (error) {
    // It holds up no other, and is tried again in an hour.
    log('error', 'a photo was not taken back', { photo: photo.id, ...describeBug(error) });
  }
}
