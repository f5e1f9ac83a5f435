import { and, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { EVENT_BOUNDS } from '../../../domain/events/event-bounds.ts';
import { sqlBatch } from '../../sql-batch.ts';
import type { EventsDatabase } from '../database.ts';
import { attendees } from '../schema.ts';
import { eventIsLive } from '../sites/events.ts';

export interface Registration {
  readonly id: string;
  readonly tenant: string;
  readonly eventId: string;
  readonly sealedProfile: Buffer;
  readonly emailTag: string;
  readonly consentAt: number;
  readonly consentBy: string;
}

/** Whether an event has as many attendees as it may. */
export async function hasAllAttendees(db: EventsDatabase, eventId: string): Promise<boolean> {
  return (await db.$count(attendees, eq(attendees.eventId, eventId))) >= EVENT_BOUNDS.attendees_max;
}

/** The attendee of an event who has an address, by the tags that it may lie under. */
export async function attendeeWithEmail(
  db: EventsDatabase,
  eventId: string,
  emailTags: readonly string[],
): Promise<string | null> {
  const [row] = await db
    .select({ id: attendees.id })
    .from(attendees)
    .where(and(eq(attendees.eventId, eventId), inArray(attendees.emailTag, [...emailTags])));
  return row?.id ?? null;
}

/**
 * Makes somebody an attendee and confirms their photos, both or neither; once per id.
 *
 * @returns whether they are: false where the address is another's, the event was deleted, or a photo taken back
 */
export async function registerAttendee(
  db: EventsDatabase,
  { sealedProfile, ...row }: Registration,
  photoIds: readonly string[],
): Promise<boolean> {
  const photos = JSON.stringify(photoIds);
  const [, , confirmed] = await sqlBatch(db, [
    sql`
      INSERT INTO attendees (
        id, tenant, event_id, sealed_profile, email_tag, email_fold, consent_at, consent_by, consent_text, created_at
      )
      SELECT
        ${row.id}, ${row.tenant}, ${row.eventId}, unhex(${sealedProfile.toString('hex')}), ${row.emailTag}, 1,
        ${row.consentAt}, ${row.consentBy}, '', ${row.consentAt}
      WHERE ${eventIsLive(row.tenant, row.eventId)} AND ${areThere(photos)}
      ON CONFLICT DO NOTHING`,
    ...confirmation(row.eventId, row.id, photos, { now: row.consentAt, when: sql`true` }),
  ]);
  return confirmed?.length === photoIds.length;
}

/** Photos that are to be seen from now on, and the stored ones that they were compared with. */
export interface ConfirmedPhotos {
  readonly photoIds: readonly string[];
  readonly comparedWith: readonly string[];
}

interface PhotosOf {
  readonly eventId: string;
  readonly collectionId: string;
  readonly attendeeId: string;
  /** Of the same id. */
  readonly attendeeTag: string;
  readonly now: number;
}

/**
 * Confirms more photos of an attendee, all or none. False where the attendee has gone, a photo was taken back, or the attendee has a photo that these
 * were not compared with: one that another call added meanwhile, or a merge.
 */
export async function addPhotosOf(
  db: EventsDatabase,
  { eventId, collectionId, attendeeId, attendeeTag, now }: PhotosOf,
  { photoIds, comparedWith }: ConfirmedPhotos,
): Promise<boolean> {
  const known = JSON.stringify([...photoIds, ...comparedWith]);
  const isCompared = sql`NOT EXISTS (
    SELECT 1 FROM photos WHERE collection_id = ${collectionId} AND attendee_tag = ${attendeeTag} AND stored_at > 0
      AND id NOT IN (SELECT value FROM json_each(${known})))`;
  const [, confirmed] = await sqlBatch(
    db,
    confirmation(eventId, attendeeId, JSON.stringify(photoIds), { now, when: isCompared }),
  );
  return confirmed?.length === photoIds.length;
}

/** Confirms the photos, and reads those that are. */
function confirmation(
  eventId: string,
  attendeeId: string,
  photos: string,
  { now, when }: { readonly now: number; readonly when: SQL },
) {
  return [
    sql`
      UPDATE photos SET stored_at = coalesce(stored_at, ${now})
      WHERE id IN (SELECT value FROM json_each(${photos})) AND ${areThere(photos)} AND ${when}
        AND EXISTS (SELECT 1 FROM attendees WHERE id = ${attendeeId} AND event_id = ${eventId})`,
    sql`SELECT id FROM photos WHERE id IN (SELECT value FROM json_each(${photos})) AND stored_at > 0`,
  ];
}

/** That none of the photos has been taken back. */
function areThere(photos: string) {
  return sql`
    (SELECT count(*) FROM photos WHERE id IN (SELECT value FROM json_each(${photos})) AND coalesce(stored_at, 0) >= 0)
      = json_array_length(${photos})`;
}
