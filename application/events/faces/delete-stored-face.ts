import { eventsDatabase } from '../../../data/events/database.ts';
import { deleteFace, findFace } from '../../../data/events/images/faces.ts';
import { deletePhotos, findPhotos } from '../../../data/events/images/photos.ts';
import { deleteImages } from '../../../data/events/images/sealed-images.ts';
import { removeVectors } from '../collections/gallery-shards.ts';
import { openCollection } from '../collections/open-collection.ts';

/**
 * Deletes a face: its vector, then its row, and with the last face of a photo the photo. Interrupted, it is repeated or swept.
 *
 * @returns false where the tenant has no such face
 */
export async function deleteStoredFace(env: Env, tenant: string, id: string): Promise<boolean> {
  const db = eventsDatabase(env.EVENTS_DB);
  const found = await findFace(db, tenant, id);
  if (found === null) return false;
  const { face, collection } = found;
  const open = await openCollection(env, tenant, collection.name);
  if (open === null) return false;
  await removeVectors(env, open, [face]);
  if (await deleteFace(db, face)) {
    const photos = await findPhotos(db, [face.photoId]);
    await deleteImages(
      env.EVENT_IMAGES,
      photos.map(({ objectKey }) => objectKey),
    );
    await deletePhotos(db, [face.photoId]);
  }
  return true;
}
