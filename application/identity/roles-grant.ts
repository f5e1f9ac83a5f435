import { eventsDatabase } from '../../data/events/database.ts';
import { listRoles } from '../../data/events/sites/role-permissions.ts';
import type { Permission } from '../../domain/events/permissions.ts';

/** A change to a role's permissions holds everywhere after this. */
const READ_AGAIN_MS = 10_000;

let read: { readonly at: number; readonly grants: Promise<ReadonlySet<string>> } | null = null;

/** Whether one of the roles grants the permission, by the tables of the events database. */
export async function rolesGrant(env: Env, roles: readonly string[], permission: Permission): Promise<boolean> {
  const now = Date.now();
  if (read === null || now - read.at > READ_AGAIN_MS) {
    const grants = readGrants(env);
    read = { at: now, grants };
    grants.catch(() => {
      read = null;
    });
  }
  const grants = await read.grants;
  return roles.some((role) => grants.has(`${role} ${permission}`));
}

async function readGrants(env: Env): Promise<ReadonlySet<string>> {
  const roles = await listRoles(eventsDatabase(env.EVENTS_DB));
  return new Set(roles.flatMap((role) => role.permissions.map((permission) => `${role.name} ${permission}`)));
}
