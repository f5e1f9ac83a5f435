import { eventsDatabase } from '../../../data/events/database.ts';
import { facesOfPhotos } from '../../../data/events/images/faces.ts';
import { claimUnstored, deletePhotos, findPhotos, isStored } from '../../../data/events/images/photos.ts';
import { deleteImages } from '../../../data/events/images/sealed-images.ts';
import { removeVectors } from '../collections/gallery-shards.ts';
import type { OpenCollection } from '../collections/open-collection.ts';

interface UnstoredPhoto {
  readonly id: string;
  readonly objectKey: string;
  readonly faces: readonly { readonly id: string; readonly shard: number }[];
}

/**
 * Removes what there is of photos that were never confirmed, of which somebody else may have deleted the rows. Those that have been
 * confirmed, by the same request sent twice, stay.
 */
export async function takeBackPhotos(env: Env, open: OpenCollection, photos: readonly UnstoredPhoto[]): Promise<void> {
  const db = eventsDatabase(env.EVENTS_DB);
  const ids = photos.map(({ id }) => id);
  await claimUnstored(db, ids);
  const stored = new Set((await findPhotos(db, ids)).filter(isStored).map(({ id }) => id));
  const unstored = photos.filter(({ id }) => !stored.has(id));
  if (unstored.length === 0) return;
  const unstoredIds = unstored.map(({ id }) => id);
  // A shard that was full has passed faces on, and their rows say so.
  const rows = await facesOfPhotos(db, unstoredIds);
  await removeVectors(env, open, [...unstored.flatMap(({ faces }) => faces), ...rows]);
  await deleteImages(
    env.EVENT_IMAGES,
    unstored.map(({ objectKey }) => objectKey),
  );
  await deletePhotos(db, unstoredIds);
}
