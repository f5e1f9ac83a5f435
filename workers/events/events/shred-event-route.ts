import { createRoute, z } from '@hono/zod-openapi';
import { shredDeletedEvent } from '../../../application/events/retention/shred-deleted-event.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { jsonOf } from '../../responses/wire.ts';
import { askerOf, tenancyOf } from '../tenancy.ts';
import { EventRecord, eventView } from './event-schema.ts';

/** POST /events/{id}/shred. */
export function shredEventRoute(events: Profile): void {
  registerRoute(
    events,
    {
      access: { credential: 'bearer', permission: 'events:shred' },
      bucket: 'private',
      freshFactor: true,
      errors: ['CONFLICT'],
    },
    createRoute({
      method: 'post',
      path: '/events/{id}/shred',
      tags: ['events'],
      summary: 'Destroy the key of an event that somebody else deleted at once, and delete what it held',
      request: { params: z.object({ id: z.string() }) },
      responses: { 200: jsonOf('The shredded event.', EventRecord) },
    }),
    async (c) => {
      const shredded = await shredDeletedEvent(c.env, tenancyOf(c).tenant, {
        id: c.req.valid('param').id,
        by: askerOf(c),
      });
      return shredded.ok ? c.json(eventView(shredded.value), 200) : failure(c, shredded.error);
    },
  );
}
