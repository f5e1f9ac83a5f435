import { createRoute, z } from '@hono/zod-openapi';
import { mergeAttendee } from '../../../data/events/attendees/attendee-merge.ts';
import { findAttendee } from '../../../data/events/attendees/attendees.ts';
import { eventsDatabase } from '../../../data/events/database.ts';
import { apiError } from '../../../protocol/errors/api-error.ts';
import { principalOf, resourceIdOf } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { notFound, openEvent } from '../open-event.ts';
import { tenancyOf } from '../tenancy.ts';
import { bodyOf, jsonOf } from '../wire.ts';
import { Reason } from './correction-schema.ts';

const MergeRequest = z
  .object({
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
      responses: { 200: jsonOf('Who remains.', z.object({ attendee_id: z.string() }).openapi('Merged')) },
    }),
    async (c) => {
      const { event_id: eventId, attendee_id: from } = c.req.valid('param');
      const { into, reason } = c.req.valid('json');
      if (from === into)
        return failure(c, apiError('VALIDATION_ERROR', 'an attendee merges into another', { field: 'into' }));
      const opened = await openEvent(c, eventId);
      if (opened === null) return failure(c, notFound('event'));
      const db = eventsDatabase(c.env.EVENTS_DB);
      const [merged, remaining] = await Promise.all(
        [from, into].map((id) => findAttendee(db, opened.key, eventId, id)),
      );
      if (!merged || !remaining) return failure(c, notFound('attendee'));
      const done = await mergeAttendee(
        db,
        opened.key,
        { from, into },
        {
          id: resourceIdOf(c),
          tenant: tenancyOf(c).tenant,
          eventId,
          kind: 'merge',
          actor: principalOf(c).userId,
          change: {
            reason,
            attendee_id: into,
            from: { attendee_id: from, name: merged.name, email: merged.email },
          },
          now: Date.now(),
        },
      );
      return done ? c.json({ attendee_id: into }, 200) : failure(c, notFound('attendee'));
    },
  );
}
