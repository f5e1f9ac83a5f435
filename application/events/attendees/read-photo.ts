import { eventsDatabase } from '../../../data/events/database.ts';
import { photosOfAttendee } from '../../../data/events/images/faces.ts';
import { getImage } from '../../../data/events/images/sealed-images.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import type { ApiError } from '../../../protocol/errors/api-error.ts';
import { openEventCollection } from '../collections/open-collection.ts';
import { notFound } from '../not-found.ts';

export interface PhotoOfAttendee {
  readonly eventId: string;
  readonly attendeeId: string;
  readonly photoId: string;
}

/** A photograph that an attendee was registered with. */
export async function readPhoto(
  env: Env,
  tenant: string,
  { eventId, attendeeId, photoId: id }: PhotoOfAttendee,
): Promise<Result<Uint8Array<ArrayBuffer>, ApiError>> {
  const open = await openEventCollection(env, tenant, eventId);
  if (open === null) return err(notFound('event'));
  const { collection, key } = open;
  const tag = await key.tag('attendee', attendeeId);
  const photos = await photosOfAttendee(eventsDatabase(env.EVENTS_DB), collection.id, tag);
  const photo = photos.find((one) => one.id === id);
  if (photo === undefined) return err(notFound('photo'));
  const image = await getImage(env.EVENT_IMAGES, key, { path: photo.objectKey, kind: 'photo', id });
  return image === null ? err(notFound('photo')) : ok(image);
}
