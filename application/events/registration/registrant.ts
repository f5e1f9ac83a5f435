import { findAttendee, sealProfile } from '../../../data/events/attendees/attendees.ts';
import {
  addPhotosOf,
  attendeeWithEmail,
  type ConfirmedPhotos,
  hasAllAttendees,
  registerAttendee,
} from '../../../data/events/attendees/register-attendee.ts';
import { eventsDatabase } from '../../../data/events/database.ts';
import { photosOfAttendee } from '../../../data/events/images/faces.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import { type ApiError, apiError } from '../../../protocol/errors/api-error.ts';
import type { OpenCollection } from '../collections/open-collection.ts';
import { notFound } from '../not-found.ts';
import { tooMany } from '../too-many.ts';

/** Who is to become an attendee. */
export interface NewAttendee {
  readonly name: string;
  readonly email: string;
  /** What they have agreed to, and the user id of who took it down. */
  readonly consentText: string;
  readonly consentBy: string;
}

/** Whom photos are stored for. */
export interface Registrant {
  readonly attendeeId: string;
  /** Makes them an attendee, or finds that they are, with these photos. */
  readonly confirm: (photos: ConfirmedPhotos, now: number) => Promise<boolean>;
}

const PHOTOS_PER_ATTENDEE_MAX = 20;

/** @param id of the request: that of a new attendee */
export function registrantOf(
  env: Env,
  open: OpenCollection,
  id: string,
  who: NewAttendee | string,
  photos: number,
): Promise<Result<Registrant, ApiError>> {
  return typeof who === 'string' ? knownAttendee(env, open, who, photos) : newAttendee(env, open, id, who);
}

async function knownAttendee(
  env: Env,
  { key, collection }: OpenCollection,
  attendeeId: string,
  photos: number,
): Promise<Result<Registrant, ApiError>> {
  const db = eventsDatabase(env.EVENTS_DB);
  const eventId = collection.name;
  if ((await findAttendee(db, key, eventId, attendeeId)) === null) return err(notFound('attendee'));
  const attendeeTag = await key.tag('attendee', attendeeId);
  const known = await photosOfAttendee(db, collection.id, attendeeTag);
  if (known.length + photos > PHOTOS_PER_ATTENDEE_MAX)
    return err(apiError('CONFLICT', 'the attendee has too many photos', { photos_max: PHOTOS_PER_ATTENDEE_MAX }));
  return ok({
    attendeeId,
    confirm: (photos, now) =>
      addPhotosOf(db, { eventId, attendeeId, attendeeTag, collectionId: collection.id, now }, photos),
  });
}

async function newAttendee(
  env: Env,
  open: OpenCollection,
  id: string,
  { name, email, consentText, consentBy }: NewAttendee,
): Promise<Result<Registrant, ApiError>> {
  const db = eventsDatabase(env.EVENTS_DB);
  const { key, collection } = open;
  const taken = await emailFailure(env, open, id, email);
  if (taken !== null) return err(taken);
  // A repetition finds its own.
  const isFull = await hasAllAttendees(db, collection.name);
  if (isFull && (await findAttendee(db, key, collection.name, id)) === null) return err(tooMany('attendees_max'));
  const emailTag = await emailTagOf(open, email);
  return ok({
    attendeeId: id,
    confirm: async ({ photoIds }, now) =>
      registerAttendee(
        db,
        {
          id,
          tenant: collection.tenant,
          eventId: collection.name,
          sealedProfile: await sealProfile(key, id, { name, email }),
          emailTag,
          consentAt: now,
          consentBy,
          consentText,
        },
        photoIds,
      ),
  });
}

/** Why the address cannot be this attendee's: it is another's, who is named; null where it can. */
export async function emailFailure(
  env: Env,
  open: OpenCollection,
  id: string,
  email: string,
): Promise<ApiError | null> {
  const emailTag = await emailTagOf(open, email);
  const other = await attendeeWithEmail(eventsDatabase(env.EVENTS_DB), open.collection.name, emailTag);
  if (other === null || other === id) return null;
  return apiError('CONFLICT', 'an attendee with this email is registered', {
    reason: 'email_registered',
    attendee_id: other,
  });
}

/** Addresses that differ in case alone are one. */
function emailTagOf({ key }: OpenCollection, email: string): Promise<string> {
  return key.tag('email', email.toLowerCase());
}
