import { createRoute, z } from '@hono/zod-openapi';
import { createInvite, listInvites, updateInvite } from '../../../data/events/attendees/invites.ts';
import { eventsDatabase } from '../../../data/events/database.ts';
import { findEvent } from '../../../data/events/sites/events.ts';
import { INVITE_STATUSES } from '../../../domain/events/invite-status.ts';
import { apiError } from '../../../protocol/errors/api-error.ts';
import { resourceIdOf } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { limitQuery, pageOf, rowsToRead } from '../../responses/paging.ts';
import { notFound } from '../open-event.ts';
import { tenancyOf } from '../tenancy.ts';
import { bodyOf, jsonOf } from '../wire.ts';
import { InviteRecord, inviteView } from './invite-schema.ts';

const InviteRequest = z
  .object({ attendee_id: z.string().min(1).max(64), status: z.enum(INVITE_STATUSES).default('pending') })
  .openapi('InviteRequest');

const InviteUpdate = z
  .object({ invite_id: z.string().min(1).max(64), status: z.enum(INVITE_STATUSES) })
  .openapi('InviteUpdate');

const ofEvent = z.object({ id: z.string() });

export function registerInviteRoutes(events: Profile): void {
  registerListInvites(events);
  registerCreateInvite(events);
  registerUpdateInvite(events);
}

/** GET /events/{id}/invites. */
function registerListInvites(events: Profile): void {
  registerRoute(
    events,
    { access: { credential: 'bearer', permission: 'attendees:read' }, bucket: 'private' },
    createRoute({
      method: 'get',
      path: '/events/{id}/invites',
      tags: ['invites'],
      summary: 'Invites of an event',
      request: { params: ofEvent, query: z.object({ limit: limitQuery, cursor: z.uuid().optional() }) },
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

/** POST /events/{id}/invites. */
function registerCreateInvite(events: Profile): void {
  registerRoute(
    events,
    { access: { credential: 'bearer', permission: 'attendees:write' }, bucket: 'private', idempotent: true },
    createRoute({
      method: 'post',
      path: '/events/{id}/invites',
      tags: ['invites'],
      summary: 'Invite an attendee; each has one invite to an event',
      request: { params: ofEvent, body: bodyOf(InviteRequest) },
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

/** PUT /events/{id}/invites. */
function registerUpdateInvite(events: Profile): void {
  registerRoute(
    events,
    { access: { credential: 'bearer', permission: 'attendees:write' }, bucket: 'private' },
    createRoute({
      method: 'put',
      path: '/events/{id}/invites',
      tags: ['invites'],
      summary: 'Set the status of an invite',
      request: { params: ofEvent, body: bodyOf(InviteUpdate) },
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
