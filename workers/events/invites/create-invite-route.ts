import { createRoute, z } from '@hono/zod-openapi';
import { notFound } from '../../../application/events/not-found.ts';
import { createInvite } from '../../../data/events/attendees/invites.ts';
import { eventsDatabase } from '../../../data/events/database.ts';
import { INVITE_STATUSES } from '../../../domain/events/invite-status.ts';
import { apiError } from '../../../protocol/errors/api-error.ts';
import { resourceIdOf } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { bodyOf, jsonOf } from '../../responses/wire.ts';
import { tenancyOf } from '../tenancy.ts';
import { InviteRecord, inviteView } from './invite-schema.ts';

const InviteRequest = z
  .strictObject({ attendee_id: z.string().min(1).max(64), status: z.enum(INVITE_STATUSES).default('pending') })
  .openapi('InviteRequest');

/** POST /events/{id}/invites. */
export function createInviteRoute(events: Profile): void {
  registerRoute(
    events,
    { access: { credential: 'bearer', permission: 'attendees:write' }, bucket: 'private', idempotent: true },
    createRoute({
      method: 'post',
      path: '/events/{id}/invites',
      tags: ['invites'],
      summary: 'Invite an attendee; each has one invite to an event',
      request: { params: z.object({ id: z.string() }), body: bodyOf(InviteRequest) },
      responses: { 201: jsonOf('The invite.', InviteRecord) },
    }),
    async (c) => {
      const { attendee_id: attendeeId, status } = c.req.valid('json');
      const now = Date.now();
      const created = await createInvite(eventsDatabase(c.env.EVENTS_DB), {
        id: resourceIdOf(c),
        tenant: tenancyOf(c).tenant,
        eventId: c.req.valid('param').id,
        attendeeId,
        status,
        createdAt: now,
        updatedAt: now,
      });
      if (created === null) return failure(c, notFound('attendee'));
      if (created === 'conflict') return failure(c, apiError('CONFLICT', 'the attendee has an invite to this event'));
      return c.json(inviteView(created), 201);
    },
  );
}
