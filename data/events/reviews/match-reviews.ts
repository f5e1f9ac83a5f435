import { and, asc, eq, gt, isNull, sql } from 'drizzle-orm';
import type { ReviewStatus } from '../../../domain/events/review-status.ts';
import { attendeesKnownAs, type KnownAs } from '../attendees/attendees.ts';
import type { EventsDatabase } from '../database.ts';
import type { ScopeKey } from '../keys/scope-key.ts';
import { events, matchReviews } from '../schema.ts';
import { openCandidate } from './review-candidate.ts';

export type ReviewRow = typeof matchReviews.$inferSelect;

/** A review with whom the face may be; null for somebody who is no attendee any more. */
export interface MatchReview extends Omit<ReviewRow, 'sealedCandidate' | 'candidateTag'> {
  readonly candidate: KnownAs | null;
  /** The stored face that it resembles. */
  readonly faceId: string;
  readonly bbox: readonly [number, number, number, number];
}

/** Of an event that the caller has found, the oldest first. */
export async function listReviews(
  db: EventsDatabase,
  key: ScopeKey,
  {
    eventId,
    status,
    after,
    limit,
  }: {
    readonly eventId: string;
    readonly status: ReviewStatus;
    readonly after: string | null;
    readonly limit: number;
  },
): Promise<MatchReview[]> {
  const rows = await db
    .select()
    .from(matchReviews)
    .where(
      and(
        eq(matchReviews.eventId, eventId),
        eq(matchReviews.status, status),
        after === null ? undefined : gt(matchReviews.id, after),
      ),
    )
    .orderBy(asc(matchReviews.id))
    .limit(limit);
  return openReviews(db, key, eventId, rows);
}

/** A review of an event that was not deleted, still sealed. */
export async function findReview(db: EventsDatabase, tenant: string, id: string): Promise<ReviewRow | null> {
  const [row] = await db
    .select({ review: matchReviews })
    .from(matchReviews)
    .innerJoin(events, eq(events.id, matchReviews.eventId))
    .where(and(eq(matchReviews.id, id), eq(matchReviews.tenant, tenant), isNull(events.deletedAt)));
  return row?.review ?? null;
}

/** The reviews that a frame of a camera is part of. */
export async function reviewsOfFrame(
  db: EventsDatabase,
  key: ScopeKey,
  frame: {
    readonly id: string;
    readonly eventId: string;
    readonly cameraId: string;
    readonly capturedAt: number;
  },
): Promise<MatchReview[]> {
  const rows = await db
    .select()
    .from(matchReviews)
    .where(
      and(
        eq(matchReviews.cameraId, frame.cameraId),
        sql`${matchReviews.firstSeenAt} <= ${frame.capturedAt} AND ${matchReviews.lastSeenAt} >= ${frame.capturedAt}`,
        sql`EXISTS (SELECT 1 FROM json_each(${matchReviews.frameIds}) WHERE value = ${frame.id})`,
      ),
    );
  return openReviews(db, key, frame.eventId, rows);
}

export async function openReviews(
  db: EventsDatabase,
  key: ScopeKey,
  eventId: string,
  rows: readonly ReviewRow[],
): Promise<MatchReview[]> {
  const candidates = await Promise.all(rows.map((row) => openCandidate(key, row.frameId, row.sealedCandidate)));
  const ids = candidates.map(({ attendeeId }) => attendeeId);
  const known = await attendeesKnownAs(db, key, eventId, [...new Set(ids)]);
  return rows.map(({ sealedCandidate: _, candidateTag: __, ...row }, at) => {
    const { attendeeId, faceId, bbox } = candidates[at]!;
    return { ...row, candidate: known.get(attendeeId) ?? null, faceId, bbox };
  });
}

/** Of an attendee, by their tag. Answers how many there were. */
export async function deleteReviewsOf(db: EventsDatabase, eventId: string, candidateTag: string): Promise<number> {
  const deleted = await db
    .delete(matchReviews)
    .where(and(eq(matchReviews.eventId, eventId), eq(matchReviews.candidateTag, candidateTag)))
    .returning({ id: matchReviews.id });
  return deleted.length;
}
