import { type SQL, sql } from 'drizzle-orm';
import { sqlBatch } from '../../sql-batch.ts';
import type { EventsDatabase } from '../database.ts';
import type { ScopeKey } from '../keys/scope-key.ts';
import { correctionExists, correctionStatement, type NewCorrection, tookPlace } from '../timeline/corrections.ts';
import { presenceStatements, type SightingCamera } from '../timeline/timeline.ts';
import type { ReviewRow } from './match-reviews.ts';
import { openCandidate } from './review-candidate.ts';

/**
 * Says that the face is the candidate: the entry that a match would have made, and frames that count one unknown face less. False where
 * it was decided before, or the candidate is no attendee any more.
 */
export async function confirmReview(
  db: EventsDatabase,
  key: ScopeKey,
  review: ReviewRow,
  camera: SightingCamera,
  correction: NewCorrection,
): Promise<boolean> {
  const { attendeeId, faceId } = await openCandidate(key, review.frameId, review.sealedCandidate);
  const isThere = sql`EXISTS (
    SELECT 1 FROM attendees LEFT JOIN attendee_aliases AS alias ON alias.id = ${attendeeId} AND alias.event_id = attendees.event_id
    WHERE attendees.event_id = ${review.eventId} AND attendees.id = coalesce(alias.attendee_id, ${attendeeId}))`;
  const presence = {
    attendeeId,
    faceId,
    similarity: review.similarity,
    firstSeenAt: review.firstSeenAt,
    lastSeenAt: review.lastSeenAt,
    frameId: await firstFrameOf(db, review),
  };
  await sqlBatch(db, [
    await correctionStatement(key, correction, sql`${isAsRead(review)} AND ${isThere}`),
    setStatus(review, 'confirmed', correction),
    sql`
      UPDATE frames SET matched = matched + 1, "unknown" = "unknown" - 1
      WHERE id IN (SELECT value FROM json_each(${JSON.stringify(review.frameIds)})) AND ${tookPlace(correction)}`,
    ...(await presenceStatements(key, camera, [presence], tookPlace(correction))),
  ]);
  return correctionExists(db, correction.id);
}

/** Says that the face is not the candidate: it stays unknown. False where it was decided before. */
export async function rejectReview(
  db: EventsDatabase,
  key: ScopeKey,
  review: ReviewRow,
  correction: NewCorrection,
): Promise<boolean> {
  await sqlBatch(db, [
    await correctionStatement(key, correction, isAsRead(review)),
    setStatus(review, 'rejected', correction),
  ]);
  return correctionExists(db, correction.id);
}

/** Pending, and no frame has joined it since: what is decided is what was read. */
function isAsRead({ id, frameIds }: ReviewRow): SQL {
  return sql`EXISTS (
    SELECT 1 FROM match_reviews WHERE id = ${id} AND status = 'pending' AND json_array_length(frame_ids) = ${frameIds.length})`;
}

function setStatus({ id }: ReviewRow, status: 'confirmed' | 'rejected', correction: NewCorrection): SQL {
  return sql`
    UPDATE match_reviews SET status = ${status}, decided_by = ${correction.actor}, decided_at = ${correction.now}
    WHERE id = ${id} AND ${tookPlace(correction)}`;
}

async function firstFrameOf(db: EventsDatabase, { frameIds, frameId }: ReviewRow): Promise<string> {
  const [rows] = await sqlBatch<[{ id: string }[]]>(db, [
    sql`
      SELECT id FROM frames WHERE id IN (SELECT value FROM json_each(${JSON.stringify(frameIds)}))
      ORDER BY captured_at, id LIMIT 1`,
  ]);
  return rows[0]?.id ?? frameId;
}
