import { createRoute, z } from '@hono/zod-openapi';
import { addManualEntry } from '../../../application/events/corrections/add-manual-entry.ts';
import { TIMELINE_TYPES } from '../../../domain/events/camera-type.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { Instant } from '../../responses/instant.ts';
import { bodyOf, jsonOf } from '../../responses/wire.ts';
import { Reason } from '../corrections/correction-schema.ts';
import { correctorOf } from '../corrections/corrector-of.ts';
import { mayReadAttendees } from '../may-read-attendees.ts';
import { TimelineRecord, timelineView } from './timeline-schema.ts';

const ManualEntryRequest = z
  .strictObject({
    event_id: z.string().min(1).max(64),
    room_id: z.string().min(1).max(64),
    type: z.enum(TIMELINE_TYPES),
    attendee_id: z.string().min(1).max(64),
    at: Instant,
    reason: Reason,
  })
  .openapi('ManualEntryRequest');

/** POST /timeline. */
export function createManualEntryRoute(events: Profile): void {
  registerRoute(
    events,
    {
      access: { credential: 'bearer', permission: 'timeline:correct' },
      bucket: 'private',
      idempotent: 'unstored',
      errors: ['NOT_FOUND'],
    },
    createRoute({
      method: 'post',
      path: '/timeline',
      tags: ['timeline'],
      summary: 'Write an entry by hand',
      request: { body: bodyOf(ManualEntryRequest) },
      responses: { 201: jsonOf('The entry.', TimelineRecord) },
    }),
    async (c) => {
      const { event_id: eventId, room_id: roomId, attendee_id: attendeeId, type, at, reason } = c.req.valid('json');
      const entry = { roomId, type, attendeeId, at };
      const written = await addManualEntry(c.env, eventId, entry, correctorOf(c, reason));
      return written.ok
        ? c.json(timelineView(written.value, await mayReadAttendees(c)), 201)
        : failure(c, written.error);
    },
  );
}
