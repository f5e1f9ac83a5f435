import { sql } from 'drizzle-orm';
import { sqlBatch } from '../../sql-batch.ts';
import type { EventsDatabase } from '../database.ts';
import type { ScopeKey } from '../keys/scope-key.ts';
import { correctionExists, correctionStatement, type NewCorrection, tookPlace } from '../timeline/corrections.ts';

/**
 * Makes everything of one attendee another's: timeline entries, photos, faces, and the invite where the other has none, or what was answered to it where the
 * other's is pending. Faces stay in
 * their gallery under the id that they were registered with, which leads to the other from then on (`attendeesKnownAs`), also for
 * frames that are on their way. False where one of the two is not there, or is to be erased.
 */
export async function mergeAttendee(
  db: EventsDatabase,
  key: ScopeKey,
  { from, into }: { readonly from: string; readonly into: string },
  correction: NewCorrection,
): Promise<boolean> {
  const { tenant, eventId, now } = correction;
  const [fromTag, intoTag] = await Promise.all([key.tag('attendee', from), key.tag('attendee', into)]);
  const there = sql`
    (SELECT count(*) FROM attendees WHERE id IN (${from}, ${into}) AND event_id = ${eventId}) = 2
    AND NOT EXISTS (SELECT 1 FROM erasures WHERE attendee_id IN (${from}, ${into}))`;
  const done = tookPlace(correction);
  const ofEvent = sql`collection_id IN (SELECT id FROM collections WHERE event_id = ${eventId})`;
  await sqlBatch(db, [
    await correctionStatement(key, correction, there),
    sql`
      INSERT INTO attendee_aliases (id, tenant, event_id, attendee_id, attendee_tag)
      SELECT ${from}, ${tenant}, ${eventId}, ${into}, ${intoTag} WHERE ${done}`,
    sql`
      UPDATE attendee_aliases SET attendee_id = ${into}, attendee_tag = ${intoTag}
      WHERE attendee_id = ${from} AND event_id = ${eventId} AND ${done}`,
    sql`UPDATE timeline SET attendee_tag = ${intoTag} WHERE event_id = ${eventId} AND attendee_tag = ${fromTag} AND ${done}`,
    sql`
      UPDATE match_reviews SET candidate_tag = ${intoTag}
      WHERE event_id = ${eventId} AND candidate_tag = ${fromTag} AND ${done}`,
    sql`UPDATE photos SET attendee_tag = ${intoTag} WHERE ${ofEvent} AND attendee_tag = ${fromTag} AND ${done}`,
    sql`UPDATE faces SET attendee_tag = ${intoTag} WHERE ${ofEvent} AND attendee_tag = ${fromTag} AND ${done}`,
    sql`
      UPDATE invites SET attendee_id = ${into}, updated_at = ${now}
      WHERE event_id = ${eventId} AND attendee_id = ${from} AND ${done}
        AND NOT EXISTS (SELECT 1 FROM invites WHERE event_id = ${eventId} AND attendee_id = ${into})`,
    sql`
      UPDATE invites SET status = answered.status, updated_at = ${now}
      FROM invites AS answered
      WHERE invites.event_id = ${eventId} AND invites.attendee_id = ${into} AND invites.status = 'pending'
        AND answered.event_id = ${eventId} AND answered.attendee_id = ${from} AND ${done}`,
    sql`DELETE FROM invites WHERE event_id = ${eventId} AND attendee_id = ${from} AND ${done}`,
    sql`DELETE FROM attendees WHERE id = ${from} AND event_id = ${eventId} AND ${done}`,
  ]);
  return correctionExists(db, correction.id);
}
