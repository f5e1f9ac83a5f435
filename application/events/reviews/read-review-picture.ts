import { eventsDatabase } from '../../../data/events/database.ts';
import { findFace } from '../../../data/events/images/faces.ts';
import { findFrameImage } from '../../../data/events/images/frames.ts';
import { findPhotos, isStored } from '../../../data/events/images/photos.ts';
import { getImage } from '../../../data/events/images/sealed-images.ts';
import { findReview, type ReviewRow } from '../../../data/events/reviews/match-reviews.ts';
import { openCandidate } from '../../../data/events/reviews/review-candidate.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import type { ApiError } from '../../../protocol/errors/api-error.ts';
import { notFound } from '../not-found.ts';
import { type OpenEvent, openEvent } from '../open-event.ts';

/** What a person looks at to decide: the frame in which the face is most like the candidate, or the candidate's photograph. */
export type ReviewPicture = 'frame' | 'candidate';

export async function readReviewPicture(
  env: Env,
  tenant: string,
  reviewId: string,
  picture: ReviewPicture,
): Promise<Result<Uint8Array<ArrayBuffer>, ApiError>> {
  const review = await findReview(eventsDatabase(env.EVENTS_DB), tenant, reviewId);
  const opened = review === null ? null : await openEvent(env, tenant, review.eventId);
  if (review === null || opened === null) return err(notFound('review'));
  const image = picture === 'frame' ? await frameOf(env, opened, review) : await photoOf(env, tenant, opened, review);
  return image === null ? err(notFound('picture')) : ok(image);
}

async function frameOf(env: Env, { key }: OpenEvent, { frameId }: ReviewRow) {
  const frame = await findFrameImage(eventsDatabase(env.EVENTS_DB), frameId);
  return frame && getImage(env.EVENT_IMAGES, key, { path: frame.path, kind: 'frame', id: frame.imageId });
}

async function photoOf(env: Env, tenant: string, { key }: OpenEvent, { frameId, sealedCandidate }: ReviewRow) {
  const db = eventsDatabase(env.EVENTS_DB);
  const { faceId } = await openCandidate(key, frameId, sealedCandidate);
  const found = await findFace(db, tenant, faceId);
  const [photo] = found === null ? [] : await findPhotos(db, [found.face.photoId]);
  if (photo === undefined || !isStored(photo)) return null;
  return getImage(env.EVENT_IMAGES, key, { path: photo.objectKey, kind: 'photo', id: photo.id });
}
