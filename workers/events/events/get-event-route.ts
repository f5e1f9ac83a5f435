import { createRoute, z } from '@hono/zod-openapi';
import { notFound } from '../../../application/events/not-found.ts';
import { eventsDatabase } from '../../../data/events/database.ts';
import { countEvent, findEvent } from '../../../data/events/sites/events.ts';
import { INVITE_STATUSES } from '../../../domain/events/invite-status.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { jsonOf } from '../../responses/wire.ts';
import { tenancyOf } from '../tenancy.ts';
import { EventRecord, eventView } from './event-schema.ts';

const EventDetail = EventRecord.extend({
  rooms: z.number().int().openapi({ description: 'How many.' }),
  attendees: z.number().int().openapi({ description: 'How many.' }),
  invites: z
    .object({ total: z.number().int(), by_status: z.record(z.enum(INVITE_STATUSES), z.number().int()) })
    .openapi('InviteStatistics'),
  faces_without_review: z.int().openapi({
    description: 'Doubtful faces that nobody was asked about, since as many reviews waited as may.',
  }),
}).openapi('EventDetail');

/** GET /events/{id}. */
export function getEventRoute(events: Profile): void {
  registerRoute(
    events,
    { access: { credential: 'bearer', permission: 'events:read' }, bucket: 'private' },
    createRoute({
      method: 'get',
      path: '/events/{id}',
      tags: ['events'],
      summary: 'An event with its invite statistics',
      request: { params: z.object({ id: z.string() }) },
      responses: { 200: jsonOf('The event.', EventDetail) },
    }),
    async (c) => {
      const db = eventsDatabase(c.env.EVENTS_DB);
      const event = await findEvent(db, tenancyOf(c).tenant, c.req.valid('param').id);
      if (event === null) return failure(c, notFound('event'));
      const { rooms, attendees, invites } = await countEvent(db, event.id);
      const total = Object.values(invites).reduce((sum, count) => sum + count, 0);
      return c.json(
        {
          ...eventView(event),
          rooms,
          attendees,
          invites: { total, by_status: invites },
          faces_without_review: event.facesWithoutReview,
        },
        200,
      );
    },
  );
}
