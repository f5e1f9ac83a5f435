import { eventsDatabase } from '../../../data/events/database.ts';
import { confirmReview, rejectReview } from '../../../data/events/reviews/decide-review.ts';
import { findReview, type MatchReview, openReviews } from '../../../data/events/reviews/match-reviews.ts';
import { openCandidate } from '../../../data/events/reviews/review-candidate.ts';
import { findCamera } from '../../../data/events/sites/cameras.ts';
import { correctionExists } from '../../../data/events/timeline/corrections.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import { type ApiError, apiError } from '../../../protocol/errors/api-error.ts';
import type { Corrector } from '../corrections/corrector.ts';
import { notFound } from '../not-found.ts';
import { watchCapacitySoon } from '../occupancy/watch-capacity.ts';
import { openEvent } from '../open-event.ts';

const KINDS = { confirm: 'match_confirmed', reject: 'match_rejected' } as const;

/** While a camera goes on seeing the face, the review grows under the decision. */
const ATTEMPTS_MAX = 5;

/** Who decides; a decision need not say why. */
export type Decider = Omit<Corrector, 'reason'> & { readonly reason: string | null };

/** Says that a face is its candidate, or that it is not; once. */
export async function decideMatchReview(
  env: Env,
  verb: keyof typeof KINDS,
  reviewId: string,
  { id, tenant, actor, reason }: Decider,
): Promise<Result<MatchReview, ApiError>> {
  const db = eventsDatabase(env.EVENTS_DB);
  for (let attempt = 1; ; attempt++) {
    const review = await findReview(db, tenant, reviewId);
    const opened = review === null ? null : await openEvent(env, tenant, review.eventId);
    const camera = review === null ? null : await findCamera(db, tenant, review.cameraId);
    if (review === null || opened === null || camera === null) return err(notFound('review'));
    const { key } = opened;
    const { eventId } = review;
    const shown = async (row: typeof review) => ok((await openReviews(db, key, eventId, [row]))[0]!);
    if (review.status !== 'pending') {
      // The same request again finds what it did.
      if (await correctionExists(db, id)) return shown(review);
      return err(apiError('CONFLICT', 'the review was decided before', { status: review.status }));
    }
    const { attendeeId } = await openCandidate(key, review.frameId, review.sealedCandidate);
    const change = { reason, review_id: review.id, attendee_id: attendeeId };
    const correction = { id, tenant, eventId, kind: KINDS[verb], actor, change, now: Date.now() } as const;
    const done =
      verb === 'confirm'
        ? await confirmReview(db, key, review, camera, correction)
        : await rejectReview(db, key, review, correction);
    const after = await findReview(db, tenant, reviewId);
    const decided = done && after !== null ? await shown(after) : null;
    if (done && verb === 'confirm') await watchCapacitySoon(env, eventId);
    if (decided !== null) return decided;
    const [still] = after === null ? [] : await openReviews(db, key, eventId, [after]);
    if (still?.status === 'pending' && still.candidate === null) return err(notFound('the attendee'));
    if (attempt === ATTEMPTS_MAX) return err(apiError('CONFLICT', 'the review changes: decide again'));
  }
}
