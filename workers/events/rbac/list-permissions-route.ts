import { createRoute, z } from '@hono/zod-openapi';
import { eventsDatabase } from '../../../data/events/database.ts';
import { listPermissions } from '../../../data/events/sites/role-permissions.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { jsonOf } from '../../responses/wire.ts';

const PermissionRecord = z.object({ name: z.string(), description: z.string() }).openapi('Permission');

/** GET /permissions. */
export function listPermissionsRoute(events: Profile): void {
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
