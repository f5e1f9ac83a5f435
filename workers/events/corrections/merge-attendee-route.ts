import { createRoute, z } from '@hono/zod-openapi';
import { mergeAttendees } from '../../../application/events/corrections/merge-attendees.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { bodyOf, jsonOf } from '../../responses/wire.ts';
import { Reason, SIMILARITY } from './correction-schema.ts';
import { correctorOf } from './corrector-of.ts';

const MergeRequest = z
  .strictObject({
    into: z.string().min(1).max(64).openapi({ description: 'The attendee who remains.' }),
    reason: Reason,
  })
  .openapi('MergeRequest');

/** POST /attendees/{event_id}/{attendee_id}/merge. */
export function mergeAttendeeRoute(events: Profile): void {
  registerRoute(
    events,
    { access: { credential: 'bearer', permission: 'timeline:correct' }, bucket: 'private', idempotent: true },
    createRoute({
      method: 'post',
      path: '/attendees/{event_id}/{attendee_id}/merge',
      tags: ['timeline'],
      summary: 'Make everything of one attendee another’s: both are the same person',
      request: { params: z.object({ event_id: z.string(), attendee_id: z.string() }), body: bodyOf(MergeRequest) },
      responses: {
        200: jsonOf(
          'Who remains.',
          z
            .object({ attendee_id: z.string(), similarity: z.number().nullable().openapi({ description: SIMILARITY }) })
            .openapi('Merged'),
        ),
      },
    }),
    async (c) => {
      const { event_id: eventId, attendee_id: from } = c.req.valid('param');
      const { into, reason } = c.req.valid('json');
      const merged = await mergeAttendees(c.env, { eventId, from, into }, correctorOf(c, reason));
      return merged.ok
        ? c.json({ attendee_id: into, similarity: merged.value.similarity }, 200)
        : failure(c, merged.error);
    },
  );
}
