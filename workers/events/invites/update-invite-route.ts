import { createRoute, z } from '@hono/zod-openapi';
import { notFound } from '../../../application/events/not-found.ts';
import { updateInvite } from '../../../data/events/attendees/invites.ts';
import { eventsDatabase } from '../../../data/events/database.ts';
import { INVITE_STATUSES } from '../../../domain/events/invite-status.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { bodyOf, jsonOf } from '../../responses/wire.ts';
import { tenancyOf } from '../tenancy.ts';
import { InviteRecord, inviteView } from './invite-schema.ts';

const InviteUpdate = z
  .strictObject({ invite_id: z.string().min(1).max(64), status: z.enum(INVITE_STATUSES) })
  .openapi('InviteUpdate');

/** PUT /events/{id}/invites. */
export function updateInviteRoute(events: Profile): void {
  registerRoute(
    events,
    { access: { credential: 'bearer', permission: 'attendees:write' }, bucket: 'private' },
    createRoute({
      method: 'put',
      path: '/events/{id}/invites',
      tags: ['invites'],
      summary: 'Set the status of an invite',
      request: { params: z.object({ id: z.string() }), body: bodyOf(InviteUpdate) },
      responses: { 200: jsonOf('The invite.', InviteRecord) },
    }),
    async (c) => {
      const { invite_id: id, status } = c.req.valid('json');
      const updated = await updateInvite(eventsDatabase(c.env.EVENTS_DB), {
        id,
        tenant: tenancyOf(c).tenant,
        eventId: c.req.valid('param').id,
        status,
        updatedAt: Date.now(),
      });
      return updated === null ? failure(c, notFound('invite')) : c.json(inviteView(updated), 200);
    },
  );
}
