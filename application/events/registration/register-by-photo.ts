import { type Attendee, findAttendee } from '../../../data/events/attendees/attendees.ts';
import { eventsDatabase } from '../../../data/events/database.ts';
import { numberedId } from '../../../domain/faces/numbered-id.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import { apiError } from '../../../protocol/errors/api-error.ts';
import { type DetectedFace, detectedFace } from '../../../protocol/events/detected-face.ts';
import { openEventCollection } from '../collections/open-collection.ts';
import { requestReembedding } from '../collections/request-reembedding.ts';
import type { EventsCaller } from '../events-caller.ts';
import { storePhotos } from '../faces/store-photos.ts';
import { imageBytesOf } from '../images/image-bytes.ts';
import { type InferenceClient, inferenceClient } from '../inference/inference-client.ts';
import { notFound } from '../not-found.ts';
import { takeQuota } from '../quotas/take-quota.ts';
import { type Refusal, refusal, refusalOfInference } from '../refusal.ts';
import { type ExaminedPhotos, examinePhotos } from './examine-photos.ts';
import { emailFailure, type NewAttendee, registrantOf } from './registrant.ts';
import { resemblesStored } from './resemblance.ts';

export interface PhotoRegistration {
  readonly eventId: string;
  /** Of the request, the same on every repetition: a new attendee's id, and what photos and faces are numbered after. */
  readonly id: string;
  /** Somebody new, or the id of an attendee who gets more photos. */
  readonly who: NewAttendee | string;
  readonly photos: readonly Blob[];
}

export interface RegisteredByPhoto {
  /** Null for somebody new of whom no photo has a good face: nothing is stored of them. */
  readonly attendee: Attendee | null;
  /** How many photos were stored: those with a good face. */
  readonly photosStored: number;
  /** Those that are stored, then all others that the photos show, each with why it is not. */
  readonly faces: readonly DetectedFace[];
}

const REEMBEDDING_RETRY_S = 30;

/** Of the ids that follow from the request's, faces that are not stored have these: photos and their faces take fewer. */
const FIRST_UNSTORED = 1_000;
const NOT_REGISTERED = 'nobody is registered by it';

/**
 * Registers an attendee with photographs, or adds photographs to one: those that have a good face, all of them or none. Where none has, nothing is
 * stored, and the answer says why.
 */
export async function registerByPhoto(
  env: Env,
  caller: EventsCaller,
  { eventId, id, who, photos: sent }: PhotoRegistration,
): Promise<Result<RegisteredByPhoto, Refusal>> {
  const open = await openEventCollection(env, caller.tenant, eventId);
  if (open === null) return err(refusal(notFound('event')));
  const registrant = await registrantOf(env, open, id, who, sent.length);
  if (!registrant.ok) return err(refusal(registrant.error));
  const size = sent.reduce((total, photo) => total + photo.size, 0);
  const counted = await takeQuota(env, caller.tenant, { photos: sent.length, bytes: size });
  if (!counted.ok) return counted;
  const bytes = await bytesOf(sent);
  if (!bytes.ok) return bytes;
  const examined = await analyzed(inferenceClient(env, caller), bytes.value);
  if (!examined.ok) return examined;
  const { good, others } = examined.value;
  const unstored = others.map((face, at) => detectedFace(numberedId(id, FIRST_UNSTORED + at), face, NOT_REGISTERED));
  const db = eventsDatabase(env.EVENTS_DB);
  if (good.length === 0) {
    const attendee = typeof who === 'string' ? await findAttendee(db, open.key, open.collection.name, who) : null;
    return ok({ attendee, photosStored: 0, faces: unstored });
  }
  const resembles = await resemblesStored(env, open, registrant.value.attendeeId, examined.value);
  if (!resembles.ok) {
    const { code } = resembles.error;
    if (code === 'SERVICE_UNAVAILABLE') await requestReembedding(env, open.collection, caller);
    return err(refusal(resembles.error, code === 'SERVICE_UNAVAILABLE' ? REEMBEDDING_RETRY_S : null));
  }

  // Of the request's id the first is the attendee's, then each photo and its face take two.
  const faces = good.map(({ photo, face }) => ({ id: numberedId(id, 2 * photo + 2), face, photo }));
  const photos = faces.map(({ photo, ...one }) => ({
    id: numberedId(id, 2 * photo + 1),
    image: bytes.value[photo] ?? new Uint8Array(),
    faces: [one],
  }));
  const { attendeeId, confirm } = registrant.value;
  const subject = { attendeeId, attendeeTag: await open.key.tag('attendee', attendeeId) };
  const photoIds = photos.map((photo) => photo.id);
  const stored = await storePhotos(env, open, examined.value.model, photos, subject, (now) =>
    confirm({ photoIds, comparedWith: resembles.value.photoIds }, now),
  );
  const attendee = stored ? await findAttendee(db, open.key, open.collection.name, attendeeId) : null;
  if (attendee === null) {
    const interrupted =
      'the event or the attendee was deleted or got other photos meanwhile, or the call was interrupted: repeat it';
    const taken = typeof who === 'string' ? null : await emailFailure(env, open, id, who.email);
    return err(refusal(taken ?? apiError('CONFLICT', interrupted)));
  }
  const storedFaces = faces.map((one) => detectedFace(one.id, one.face, null));
  return ok({ attendee, photosStored: photos.length, faces: [...storedFaces, ...unstored] });
}

async function bytesOf(photos: readonly Blob[]): Promise<Result<readonly Uint8Array<ArrayBuffer>[], Refusal>> {
  const bytes: Uint8Array<ArrayBuffer>[] = [];
  for (const image of await Promise.all(photos.map(imageBytesOf))) {
    if (!image.ok) return err(refusal(image.error));
    bytes.push(image.value);
  }
  return ok(bytes);
}

async function analyzed(
  inference: InferenceClient,
  photos: readonly Uint8Array<ArrayBuffer>[],
): Promise<Result<ExaminedPhotos, Refusal>> {
  const analyses = [];
  for (const analysis of await Promise.all(photos.map((photo) => inference.faces(photo, 'qualified')))) {
    if (!analysis.ok) return err(refusalOfInference(analysis.error));
    analyses.push(analysis.value);
  }
  const examined = examinePhotos(analyses);
  return examined.ok ? examined : err(refusal(examined.error));
}
