import { eventsDatabase } from '../../../data/events/database.ts';
import { facesOfPhotos, photosOfAttendee } from '../../../data/events/images/faces.ts';
import { deletePhotos } from '../../../data/events/images/photos.ts';
import { deleteImages } from '../../../data/events/images/sealed-images.ts';
import { removeVectors } from '../collections/gallery-shards.ts';
import type { OpenCollection } from '../collections/open-collection.ts';

/**
 * Deletes what is stored of an attendee's face: vectors, then photos, then the rows that tell of them, so that it can be repeated after
 * an interruption. For an erasure the attendee's row goes before: nothing more is stored of them then.
 *
 * @param open the collection of the event (`openEventCollection`)
 * @returns how many faces there were
 */
export async function removeFaces(env: Env, open: OpenCollection, attendeeTag: string): Promise<number> {
  const db = eventsDatabase(env.EVENTS_DB);
  const photos = await photosOfAttendee(db, open.collection.id, attendeeTag);
  const ids = photos.map(({ id }) => id);
  const faces = await facesOfPhotos(db, ids);
  await removeVectors(env, open, faces);
  await deleteImages(
    env.EVENT_IMAGES,
    photos.map(({ objectKey }) => objectKey),
  );
  await deletePhotos(db, ids);
  return faces.length;
}
