import { createRoute, z } from '@hono/zod-openapi';
import { decideMatchReview } from '../../../application/events/reviews/decide-match-review.ts';
import { principalOf, resourceIdOf } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { bodyOf, jsonOf } from '../../responses/wire.ts';
import { Reason } from '../corrections/correction-schema.ts';
import { mayReadAttendees } from '../may-read-attendees.ts';
import { tenancyOf } from '../tenancy.ts';
import { ReviewRecord, reviewView } from './review-schema.ts';

const SUMMARIES = {
  confirm: 'Say that the face is the candidate: the timeline is as if it had matched',
  reject: 'Say that the face is not the candidate: it stays unknown',
} as const;

const Decision = z.strictObject({ reason: Reason.optional() }).openapi('ReviewDecision');

/** POST /reviews/{id}/confirm and /reject. */
export function decideReviewRoute(events: Profile): void {
  for (const verb of ['confirm', 'reject'] as const) {
    registerRoute(
      events,
      { access: { credential: 'bearer', permission: 'timeline:correct' }, bucket: 'private', idempotent: 'unstored' },
      createRoute({
        method: 'post',
        path: `/reviews/{id}/${verb}`,
        tags: ['reviews'],
        summary: SUMMARIES[verb],
        request: { params: z.object({ id: z.string() }), body: bodyOf(Decision) },
        responses: { 200: jsonOf('The review.', ReviewRecord) },
      }),
      async (c) => {
        const { reason = null } = c.req.valid('json');
        const decider = { id: resourceIdOf(c), tenant: tenancyOf(c).tenant, actor: principalOf(c).userId, reason };
        const review = await decideMatchReview(c.env, verb, c.req.valid('param').id, decider);
        if (!review.ok) return failure(c, review.error);
        return c.json(reviewView(review.value, await mayReadAttendees(c)), 200);
      },
    );
  }
}
