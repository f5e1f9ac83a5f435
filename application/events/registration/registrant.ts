import { findAttendee, sealProfile } from '../../../data/events/attendees/attendees.ts';
import {
  addPhotosOf,
  attendeeWithEmail,
  type ConfirmedPhotos,
  hasAllAttendees,
  registerAttendee,
} from '../../../data/events/attendees/register-attendee.ts';
import { type EventsDatabase, eventsDatabase } from '../../../data/events/database.ts';
import { photosOfAttendee } from '../../../data/events/images/faces.ts';
import { findEvent } from '../../../data/events/sites/events.ts';
import { sameEmail, sameEmailBefore } from '../../../domain/events/email-address.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import { type ApiError, apiError } from '../../../protocol/errors/api-error.ts';
import type { OpenCollection } from '../collections/open-collection.ts';
import { notFound } from '../not-found.ts';
import { tooMany } from '../too-many.ts';

/** Who is to become an attendee. */
export interface NewAttendee {
  readonly name: string;
  readonly email: string;
  /** What they have agreed to; null where they have agreed to what the event says. */
  readonly consent: Consent | null;
}

interface Consent {
  readonly text: string;
  /** User id of who took it down. */
  readonly by: string;
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
  { name, email, consent: given }: NewAttendee,
): Promise<Result<Registrant, ApiError>> {
  const db = eventsDatabase(env.EVENTS_DB);
  const { key, collection } = open;
  const consent = given ?? (await consentOfEvent(db, collection));
  if (consent === null)
    return err(
      apiError('VALIDATION_ERROR', 'consent and consent_text are required where the event states no consent', {
        field: 'consent',
      }),
    );
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
          sealedProfile: await sealProfile(key, id, { name, email, consentText: consent.text }),
          emailTag,
          consentAt: now,
          consentBy: consent.by,
        },
        photoIds,
      ),
  });
}

/** What whoever made the event says that its attendees have agreed to. */
async function consentOfEvent(
  db: EventsDatabase,
  { tenant, name }: OpenCollection['collection'],
): Promise<Consent | null> {
  const event = await findEvent(db, tenant, name);
  return event?.consentText == null ? null : { text: event.consentText, by: event.createdBy };
}

/** Why the address cannot be this attendee's: it is another's, who is named; null where it can. */
export async function emailFailure(
  env: Env,
  open: OpenCollection,
  id: string,
  email: string,
): Promise<ApiError | null> {
  const tags = [await emailTagOf(open, email), await open.key.tag('email', sameEmailBefore(email))];
  const other = await attendeeWithEmail(eventsDatabase(env.EVENTS_DB), open.collection.name, tags);
  if (other === null || other === id) return null;
  return apiError('CONFLICT', 'an attendee with this email is registered', {
    reason: 'email_registered',
    attendee_id: other,
  });
}

/** Spellings of one address have one tag. */
function emailTagOf({ key }: Pick<OpenCollection, 'key'>, email: string): Promise<string> {
  return key.tag('email', sameEmail(email));
}
