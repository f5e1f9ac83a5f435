import { createRoute, z } from '@hono/zod-openapi';
import { askErasure } from '../../../application/events/attendees/request-erasure.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { jsonOf } from '../../responses/wire.ts';
import { askerOf, tenancyOf } from '../tenancy.ts';
import { ErasureRecord, erasureView } from './erasure-schema.ts';

/** DELETE /attendees/{event_id}/{attendee_id}. */
export function eraseAttendeeRoute(events: Profile): void {
  registerRoute(
    events,
    { access: { credential: 'bearer', permission: 'attendees:erase' }, bucket: 'private' },
    createRoute({
      method: 'delete',
      path: '/attendees/{event_id}/{attendee_id}',
      tags: ['attendees'],
      summary: 'Erase everything held on an attendee, after three days or when a second person asks for it',
      request: { params: z.object({ event_id: z.string(), attendee_id: z.string() }) },
      responses: {
        202: jsonOf('It waits, and can be taken back.', ErasureRecord),
        204: { description: 'Nothing is held on them any more; where they came and went, nobody did.' },
      },
    }),
    async (c) => {
      const { event_id: eventId, attendee_id: attendeeId } = c.req.valid('param');
      const attendee = { tenant: tenancyOf(c).tenant, eventId, attendeeId };
      const asked = await askErasure(c.env, attendee, askerOf(c));
      if (!asked.ok) return failure(c, asked.error);
      return asked.value === null ? c.body(null, 204) : c.json(erasureView(asked.value), 202);
    },
  );
}
