import { createRoute, z } from '@hono/zod-openapi';
import { notFound } from '../../../application/events/not-found.ts';
import { listInvites } from '../../../data/events/attendees/invites.ts';
import { eventsDatabase } from '../../../data/events/database.ts';
import { findEvent } from '../../../data/events/sites/events.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { limitQuery, pageOf, rowsToRead } from '../../responses/paging.ts';
import { jsonOf } from '../../responses/wire.ts';
import { tenancyOf } from '../tenancy.ts';
import { InviteRecord, inviteView } from './invite-schema.ts';

/** GET /events/{id}/invites. */
export function listInvitesRoute(events: Profile): void {
  registerRoute(
    events,
    { access: { credential: 'bearer', permission: 'attendees:read' }, bucket: 'private' },
    createRoute({
      method: 'get',
      path: '/events/{id}/invites',
      tags: ['invites'],
      summary: 'Invites of an event',
      request: {
        params: z.object({ id: z.string() }),
        query: z.object({ limit: limitQuery, cursor: z.uuid().optional() }),
      },
      responses: { 200: jsonOf('The invites.', z.object({ invites: z.array(InviteRecord) })) },
    }),
    async (c) => {
      const { limit, cursor = null } = c.req.valid('query');
      const db = eventsDatabase(c.env.EVENTS_DB);
      const event = await findEvent(db, tenancyOf(c).tenant, c.req.valid('param').id);
      if (event === null) return failure(c, notFound('event'));
      const found = await listInvites(db, { eventId: event.id, after: cursor, limit: rowsToRead(limit) });
      return c.json({ invites: pageOf(c, found, limit, (last) => last.id).map(inviteView) }, 200);
    },
  );
}
