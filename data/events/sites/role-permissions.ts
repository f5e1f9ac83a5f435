import { eq } from 'drizzle-orm';
import type { EventRole, Permission } from '../../../domain/events/permissions.ts';
import type { EventsDatabase } from '../database.ts';
import { permissions, rolePermissions, roles } from '../schema.ts';

export interface RoleView {
  readonly name: EventRole;
  readonly description: string;
  readonly permissions: readonly Permission[];
}

export async function listPermissions(db: EventsDatabase) {
  return db.select().from(permissions).orderBy(permissions.name);
}

/** Every role with what it grants, by name. */
export async function listRoles(db: EventsDatabase): Promise<RoleView[]> {
  const rows = await db
    .select({ name: roles.name, description: roles.description, permission: rolePermissions.permission })
    .from(roles)
    .leftJoin(rolePermissions, eq(rolePermissions.role, roles.name))
    .orderBy(roles.name, rolePermissions.permission);
  const views = new Map<EventRole, { name: EventRole; description: string; permissions: Permission[] }>();
  for (const { name, description, permission } of rows) {
    const view = views.get(name) ?? { name, description, permissions: [] };
    if (permission !== null) view.permissions.push(permission);
    views.set(name, view);
  }
  return [...views.values()];
}

/** Gives a role these permissions and no others, in one batch. */
export async function setRolePermissions(
  db: EventsDatabase,
  role: EventRole,
  granted: readonly Permission[],
): Promise<void> {
  const rows = granted.map((permission) => db.insert(rolePermissions).values({ role, permission }));
  await db.batch([db.delete(rolePermissions).where(eq(rolePermissions.role, role)), ...rows]);
}
