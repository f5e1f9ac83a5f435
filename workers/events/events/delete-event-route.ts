import { createRoute, z } from '@hono/zod-openapi';
import { notFound } from '../../../application/events/not-found.ts';
import { retentionMsOf } from '../../../application/events/retention/retention.ts';
import { eventsDatabase } from '../../../data/events/database.ts';
import { softDeleteEvent } from '../../../data/events/sites/events.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { jsonOf } from '../../responses/wire.ts';
import { askerOf, tenancyOf } from '../tenancy.ts';
import { EventRecord, eventView } from './event-schema.ts';

/** DELETE /events/{id}. */
export function deleteEventRoute(events: Profile): void {
  registerRoute(
    events,
    { access: { credential: 'bearer', permission: 'events:delete' }, bucket: 'private' },
    createRoute({
      method: 'delete',
      path: '/events/{id}',
      tags: ['events'],
      summary: 'Delete an event; its record stays, its key is destroyed after the retention period',
      request: { params: z.object({ id: z.string() }) },
      responses: { 200: jsonOf('The deleted event.', EventRecord) },
    }),
    async (c) => {
      const { userId, isMachine } = askerOf(c);
      const event = await softDeleteEvent(eventsDatabase(c.env.EVENTS_DB), {
        tenant: tenancyOf(c).tenant,
        id: c.req.valid('param').id,
        deletedBy: userId,
        isMachine,
        now: Date.now(),
        retentionMs: retentionMsOf(c.env),
      });
      return event === null ? failure(c, notFound('event')) : c.json(eventView(event), 200);
    },
  );
}
