import { createRoute, z } from '@hono/zod-openapi';
import { notFound } from '../../../application/events/not-found.ts';
import { openEvent } from '../../../application/events/open-event.ts';
import { eventsDatabase } from '../../../data/events/database.ts';
import { listReviews } from '../../../data/events/reviews/match-reviews.ts';
import { REVIEW_STATUSES } from '../../../domain/events/review-status.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { limitQuery, pageOf, rowsToRead } from '../../responses/paging.ts';
import { jsonOf } from '../../responses/wire.ts';
import { mayReadAttendees } from '../may-read-attendees.ts';
import { tenancyOf } from '../tenancy.ts';
import { ReviewRecord, reviewView } from './review-schema.ts';

const WithoutReview = z.int().openapi({
  description: 'Of the event: doubtful faces that nobody was asked about, since as many reviews waited as may.',
});

/** GET /events/{id}/reviews. */
export function listReviewsRoute(events: Profile): void {
  registerRoute(
    events,
    { access: { credential: 'bearer', permission: 'timeline:correct' }, bucket: 'private' },
    createRoute({
      method: 'get',
      path: '/events/{id}/reviews',
      tags: ['reviews'],
      summary: 'Faces that may be an attendee, for somebody to decide; the oldest first',
      request: {
        params: z.object({ id: z.string() }),
        query: z.object({
          status: z.enum(REVIEW_STATUSES).default('pending'),
          limit: limitQuery,
          cursor: z.uuid().optional(),
        }),
      },
      responses: {
        200: jsonOf('The reviews.', z.object({ reviews: z.array(ReviewRecord), faces_without_review: WithoutReview })),
      },
    }),
    async (c) => {
      const { status, limit, cursor = null } = c.req.valid('query');
      const opened = await openEvent(c.env, tenancyOf(c).tenant, c.req.valid('param').id);
      if (opened === null) return failure(c, notFound('event'));
      const found = await listReviews(eventsDatabase(c.env.EVENTS_DB), opened.key, {
        eventId: opened.event.id,
        status,
        after: cursor,
        limit: rowsToRead(limit),
      });
      const named = await mayReadAttendees(c);
      const reviews = pageOf(c, found, limit, (last) => last.id).map((review) => reviewView(review, named));
      return c.json({ reviews, faces_without_review: opened.event.facesWithoutReview }, 200);
    },
  );
}
