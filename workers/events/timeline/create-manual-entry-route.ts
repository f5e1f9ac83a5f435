import { createRoute, z } from '@hono/zod-openapi';
import { eventsDatabase } from '../../../data/events/database.ts';
import { writeManualEntry } from '../../../data/events/timeline/timeline-corrections.ts';
import { findEntry, openEntries } from '../../../data/events/timeline/timeline-entries.ts';
import { TIMELINE_TYPES } from '../../../domain/events/camera-type.ts';
import { principalOf, resourceIdOf } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { Reason } from '../corrections/correction-schema.ts';
import { notFound, openEvent } from '../open-event.ts';
import { tenancyOf } from '../tenancy.ts';
import { bodyOf, jsonOf } from '../wire.ts';
import { TimelineRecord, timelineView } from './timeline-schema.ts';

const ManualEntryRequest = z
  .object({
    event_id: z.string().min(1).max(64),
    room_id: z.string().min(1).max(64),
    type: z.enum(TIMELINE_TYPES),
    attendee_id: z.string().min(1).max(64),
    at: z.iso.datetime({ offset: true }),
    reason: Reason,
  })
  .openapi('ManualEntryRequest');

/** POST /timeline. */
export function createManualEntryRoute(events: Profile): void {
  registerRoute(
    events,
    { access: { credential: 'bearer', permission: 'timeline:correct' }, bucket: 'private', idempotent: 'unstored' },
    createRoute({
      method: 'post',
      path: '/timeline',
      tags: ['timeline'],
      summary: 'Write an entry by hand',
      request: { body: bodyOf(ManualEntryRequest) },
      responses: { 201: jsonOf('The entry.', TimelineRecord) },
    }),
    async (c) => {
      const body = c.req.valid('json');
      const { tenant } = tenancyOf(c);
      const opened = await openEvent(c, body.event_id);
      if (opened === null) return failure(c, notFound('event'));
      const { key } = opened;
      const id = resourceIdOf(c);
      const db = eventsDatabase(c.env.EVENTS_DB);
      const entry = {
        roomId: body.room_id,
        type: body.type,
        attendeeId: body.attendee_id,
        at: Date.parse(body.at),
      };
      const written = await writeManualEntry(db, key, entry, {
        id,
        tenant,
        eventId: body.event_id,
        kind: 'manual_entry',
        actor: principalOf(c).userId,
        change: { reason: body.reason, entry_id: id, attendee_id: body.attendee_id },
        now: Date.now(),
      });
      const row = written ? await findEntry(db, tenant, id) : null;
      if (row === null) return failure(c, notFound('room or attendee'));
      const [view] = await openEntries(db, key, body.event_id, [row]);
      return c.json(timelineView(view!, true), 201);
    },
  );
}
