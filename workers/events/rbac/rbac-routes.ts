import { createRoute, z } from '@hono/zod-openapi';
import { eventsDatabase } from '../../../data/events/database.ts';
import { listPermissions, listRoles } from '../../../data/events/sites/role-permissions.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { jsonOf } from '../wire.ts';

const PermissionRecord = z.object({ name: z.string(), description: z.string() }).openapi('Permission');
const RoleRecord = z
  .object({ name: z.string(), description: z.string(), permissions: z.array(z.string()) })
  .openapi('Role');

export function registerRbacRoutes(events: Profile): void {
  registerListPermissions(events);
  registerListRoles(events);
}

/** GET /permissions. */
function registerListPermissions(events: Profile): void {
  registerRoute(
    events,
    { access: { credential: 'bearer', permission: 'roles:read' }, bucket: 'private' },
    createRoute({
      method: 'get',
      path: '/permissions',
      tags: ['roles'],
      summary: 'What the roles of this service may grant',
      responses: { 200: jsonOf('The permissions.', z.object({ permissions: z.array(PermissionRecord) })) },
    }),
    async (c) => c.json({ permissions: await listPermissions(eventsDatabase(c.env.EVENTS_DB)) }, 200),
  );
}

/** GET /roles. */
function registerListRoles(events: Profile): void {
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
