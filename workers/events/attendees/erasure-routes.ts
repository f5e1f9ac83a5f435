import { createRoute, z } from '@hono/zod-openapi';
import { keepAttendee } from '../../../application/events/attendees/request-erasure.ts';
import { notFound } from '../../../application/events/not-found.ts';
import { listErasures } from '../../../data/events/attendees/erasures.ts';
import { eventsDatabase } from '../../../data/events/database.ts';
import { findEvent } from '../../../data/events/sites/events.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { limitQuery, pageOf, rowsToRead } from '../../responses/paging.ts';
import { jsonOf } from '../../responses/wire.ts';
import { tenancyOf } from '../tenancy.ts';
import { ErasureRecord, erasureView } from './erasure-schema.ts';

/** GET /events/{id}/erasures. */
export function listErasuresRoute(events: Profile): void {
  registerRoute(
    events,
    { access: { credential: 'bearer', permission: 'attendees:read' }, bucket: 'private' },
    createRoute({
      method: 'get',
      path: '/events/{id}/erasures',
      tags: ['attendees'],
      summary: 'Attendees who are to be erased',
      request: {
        params: z.object({ id: z.string() }),
        query: z.object({ limit: limitQuery, cursor: z.uuid().optional() }),
      },
      responses: { 200: jsonOf('The erasures.', z.object({ erasures: z.array(ErasureRecord) })) },
    }),
    async (c) => {
      const { limit, cursor = null } = c.req.valid('query');
      const db = eventsDatabase(c.env.EVENTS_DB);
      const event = await findEvent(db, tenancyOf(c).tenant, c.req.valid('param').id);
      if (event === null) return failure(c, notFound('event'));
      const found = await listErasures(db, { eventId: event.id, after: cursor, limit: rowsToRead(limit) });
      return c.json({ erasures: pageOf(c, found, limit, (last) => last.attendeeId).map(erasureView) }, 200);
    },
  );
}

/** POST /attendees/{event_id}/{attendee_id}/keep. */
export function keepAttendeeRoute(events: Profile): void {
  registerRoute(
    events,
    { access: { credential: 'bearer', permission: 'attendees:write' }, bucket: 'private', errors: ['CONFLICT'] },
    createRoute({
      method: 'post',
      path: '/attendees/{event_id}/{attendee_id}/keep',
      tags: ['attendees'],
      summary: 'Take the erasure of an attendee back while it waits',
      request: { params: z.object({ event_id: z.string(), attendee_id: z.string() }) },
      responses: { 204: { description: 'The attendee stays.' } },
    }),
    async (c) => {
      const { event_id: eventId, attendee_id: attendeeId } = c.req.valid('param');
      const kept = await keepAttendee(c.env, { tenant: tenancyOf(c).tenant, eventId, attendeeId });
      return kept.ok ? c.body(null, 204) : failure(c, kept.error);
    },
  );
}
