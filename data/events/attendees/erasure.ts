import { and, eq } from 'drizzle-orm';
import { uuidv7 } from 'uuidv7';
import type { EventsDatabase } from '../database.ts';
import { sealFrameResult } from '../images/frame-result.ts';
import type { ScopeKey } from '../keys/scope-key.ts';
import { attendeeAliases, attendees, corrections, frames, invites, timeline } from '../schema.ts';
import { correctionsNaming } from '../timeline/corrections.ts';
import type { AttendeeTrace, FrameOfAttendee } from './attendee-frames.ts';

const NOTHING = Buffer.alloc(0);

/**
 * Makes somebody no attendee: from here on nothing more is stored of them, and nobody is recognized as them. False where they are none.
 */
export async function deleteAttendeeRow(db: EventsDatabase, eventId: string, attendeeId: string): Promise<boolean> {
  const [, deleted] = await db.batch([
    db.delete(invites).where(and(eq(invites.eventId, eventId), eq(invites.attendeeId, attendeeId))),
    db
      .delete(attendees)
      .where(and(eq(attendees.eventId, eventId), eq(attendees.id, attendeeId)))
      .returning({ id: attendees.id }),
  ]);
  return deleted.length > 0;
}

/** Takes them out of what a frame says; the others in it stay. */
export async function blankFrame(
  db: EventsDatabase,
  key: ScopeKey,
  { ids }: AttendeeTrace,
  { row, result }: FrameOfAttendee,
): Promise<void> {
  const blanked = {
    faces: result.faces.map(({ face, match, review }) => ({
      face,
      match: match !== null && ids.has(match.attendee_id) ? null : match,
      ...(review !== undefined && !ids.has(review.attendee_id) && { review }),
    })),
  };
  await db
    .update(frames)
    .set({ sealedResult: await sealFrameResult(key, row.id, blanked) })
    .where(eq(frames.id, row.id));
}

/** Empties the audit trail of what names them; who corrected when, and what kind of thing, stays. Answers how much it was. */
export async function blankCorrections(
  db: EventsDatabase,
  key: ScopeKey,
  { eventId, ids }: AttendeeTrace,
): Promise<number> {
  const naming = await correctionsNaming(db, key, eventId, ids);
  for (const { id } of naming)
    await db.update(corrections).set({ sealedChange: NOTHING }).where(eq(corrections.id, id));
  return naming.length;
}

/**
 * Leaves their timeline entries to nobody: one tag stands for them that leads to no attendee, so that whoever came and went still came
 * and went, and occupancy is what it was. Ids that were merged into theirs lead nowhere from then on. Answers how much it was.
 */
export async function anonymizeEntries(
  db: EventsDatabase,
  { eventId, tag }: AttendeeTrace,
  attendeeId: string,
): Promise<number> {
  const [entries, aliases] = await db.batch([
    db
      .update(timeline)
      .set({ attendeeTag: `erased:${uuidv7()}`, sealedIdentity: NOTHING })
      .where(and(eq(timeline.eventId, eventId), eq(timeline.attendeeTag, tag)))
      .returning({ id: timeline.id }),
    db
      .delete(attendeeAliases)
      .where(and(eq(attendeeAliases.eventId, eventId), eq(attendeeAliases.attendeeId, attendeeId)))
      .returning({ id: attendeeAliases.id }),
  ]);
  return entries.length + aliases.length;
}
