import { createRoute, z } from '@hono/zod-openapi';
import { shredEvent } from '../../../application/events/retention/shred-event.ts';
import { eventsDatabase } from '../../../data/events/database.ts';
import { endRetention } from '../../../data/events/retention/retention.ts';
import { findEventOrDeleted } from '../../../data/events/sites/events.ts';
import { apiError } from '../../../protocol/errors/api-error.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { notFound } from '../open-event.ts';
import { tenancyOf } from '../tenancy.ts';
import { jsonOf } from '../wire.ts';
import { EventRecord, eventView } from './event-schema.ts';

/** POST /events/{id}/shred. */
export function shredEventRoute(events: Profile): void {
  registerRoute(
    events,
    { access: { credential: 'bearer', permission: 'events:delete' }, bucket: 'private' },
    createRoute({
      method: 'post',
      path: '/events/{id}/shred',
      tags: ['events'],
      summary: 'Destroy the key of a deleted event at once, and delete what it held',
      request: { params: z.object({ id: z.string() }) },
      responses: { 200: jsonOf('The shredded event.', EventRecord) },
    }),
    async (c) => {
      const db = eventsDatabase(c.env.EVENTS_DB);
      const { tenant } = tenancyOf(c);
      const event = await findEventOrDeleted(db, tenant, c.req.valid('param').id);
      if (event === null) return failure(c, notFound('event'));
      if (event.deletedAt === null) return failure(c, apiError('CONFLICT', 'only a deleted event is shredded'));
      if (event.shreddedAt === null) {
        // Interrupted from here on, the hourly sweep goes on.
        await endRetention(db, event.id, Date.now());
        await shredEvent(c.env, event);
      }
      const shredded = await findEventOrDeleted(db, tenant, event.id);
      return c.json(eventView(shredded ?? event), 200);
    },
  );
}
