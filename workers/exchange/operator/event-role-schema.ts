import { z } from '@hono/zod-openapi';
import type { RoleView } from '../../../data/events/sites/role-permissions.ts';
import { EVENT_ROLES, PERMISSIONS, type Permission } from '../../../domain/events/permissions.ts';

const NAMES = Object.keys(PERMISSIONS) as [Permission, ...Permission[]];

export const EventPermissions = z.array(z.enum(NAMES)).max(NAMES.length);

export const EventRoleView = z
  .object({ role: z.enum(EVENT_ROLES), description: z.string(), permissions: EventPermissions })
  .openapi('OperatorEventRole');

export function eventRoleView({ name, description, permissions }: RoleView): z.infer<typeof EventRoleView> {
  return { role: name, description, permissions: [...permissions] };
}
