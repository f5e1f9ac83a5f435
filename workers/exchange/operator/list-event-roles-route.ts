import { createRoute, z } from '@hono/zod-openapi';
import { eventsDatabase } from '../../../data/events/database.ts';
import { listRoles } from '../../../data/events/sites/role-permissions.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { enveloped, envelopeOf } from '../../responses/envelope.ts';
import { EventRoleView, eventRoleView } from './event-role-schema.ts';
import { VENUE_READ } from './operator-route.ts';

/** GET /v1/operator/event-roles: what each role of the events service grants, in every tenant. */
export function listEventRolesRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    VENUE_READ,
    createRoute({
      method: 'get',
      path: '/v1/operator/event-roles',
      tags: ['operator'],
      summary: 'Roles of the events service',
      responses: { 200: envelopeOf('The roles.', z.array(EventRoleView)) },
    }),
    async (c) => c.json(enveloped((await listRoles(eventsDatabase(c.env.EVENTS_DB))).map(eventRoleView)), 200),
  );
}
