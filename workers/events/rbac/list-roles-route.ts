import { createRoute, z } from '@hono/zod-openapi';
import { eventsDatabase } from '../../../data/events/database.ts';
import { listRoles } from '../../../data/events/sites/role-permissions.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { jsonOf } from '../../responses/wire.ts';

const RoleRecord = z
  .object({ name: z.string(), description: z.string(), permissions: z.array(z.string()) })
  .openapi('Role');

/** GET /roles. */
export function listRolesRoute(events: Profile): void {
  registerRoute(
    events,
    { access: { credential: 'bearer', permission: 'roles:read' }, bucket: 'private' },
    createRoute({
      method: 'get',
      path: '/roles',
      tags: ['roles'],
      summary: 'Roles of this service with the permissions that they grant',
      responses: { 200: jsonOf('The roles.', z.object({ roles: z.array(RoleRecord) })) },
    }),
    async (c) => {
      const roles = await listRoles(eventsDatabase(c.env.EVENTS_DB));
      return c.json({ roles: roles.map((role) => ({ ...role, permissions: [...role.permissions] })) }, 200);
    },
  );
}
