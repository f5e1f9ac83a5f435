import { z } from '@hono/zod-openapi';
import type { MatchReview } from '../../../data/events/reviews/match-reviews.ts';
import { REVIEW_STATUSES } from '../../../domain/events/review-status.ts';
import { isoTime, isoTimeOrNull } from '../../responses/wire.ts';
import { BoxSchema, boxView } from '../faces/detected-face-schema.ts';

export const ReviewRecord = z
  .object({
    id: z.string(),
    event_id: z.string(),
    room_id: z.string(),
    camera_id: z.string(),
    status: z.enum(REVIEW_STATUSES),
    candidate: z
      .object({
        attendee_id: z.string(),
        name: z.string().nullable().openapi({ description: 'Null for those who may not see attendees.' }),
      })
      .nullable()
      .openapi({ description: 'Whom the face may be; null once they are no attendee any more.' }),
    similarity: z.number().openapi({ description: 'To the candidate, in the frame in which it is greatest.' }),
    runner_up_similarity: z.number().nullable().openapi({ description: 'To whom it resembles next.' }),
    frame_id: z.string().openapi({ description: 'That frame.' }),
    bbox: BoxSchema,
    frames: z.int().openapi({ description: 'How many frames show the face.' }),
    first_seen_at: z.iso.datetime(),
    last_seen_at: z.iso.datetime(),
    decided_by: z.string().nullable().openapi({ description: 'User id.' }),
    decided_at: z.iso.datetime().nullable(),
  })
  .openapi('MatchReview');

/** A review as it is shown; `named` to callers who may see attendees. */
export function reviewView(review: MatchReview, named: boolean): z.infer<typeof ReviewRecord> {
  const { candidate } = review;
  return {
    id: review.id,
    event_id: review.eventId,
    room_id: review.roomId,
    camera_id: review.cameraId,
    status: review.status,
    candidate: candidate && { attendee_id: candidate.attendeeId, name: named ? candidate.name : null },
    similarity: review.similarity,
    runner_up_similarity: review.runnerUp,
    frame_id: review.frameId,
    bbox: boxView(review.bbox),
    frames: review.frameIds.length,
    first_seen_at: isoTime(review.firstSeenAt),
    last_seen_at: isoTime(review.lastSeenAt),
    decided_by: review.decidedBy,
    decided_at: isoTimeOrNull(review.decidedAt),
  };
}
