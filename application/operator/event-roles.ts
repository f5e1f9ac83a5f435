import { type OperatorAction, recordOperatorAction } from '../../data/audit/trail/operator-events.ts';
import { database } from '../../data/database.ts';
import { eventsDatabase } from '../../data/events/database.ts';
import { listRoles, type RoleView, setRolePermissions } from '../../data/events/sites/role-permissions.ts';
import type { EventRole, Permission } from '../../domain/events/permissions.ts';

export interface RoleChange {
  readonly role: EventRole;
  /** All that it shall grant. */
  readonly permissions: readonly Permission[];
  readonly reason: string;
}

/**
 * What a role of the events service grants, in every tenant. The trail is in another database, so it is written first: a crash leaves an entry too
 * many, and the same request again does the rest.
 */
export async function changeEventRole(
  env: Env,
  { role, permissions, reason }: RoleChange,
  action: OperatorAction,
): Promise<readonly RoleView[]> {
  const events = eventsDatabase(env.EVENTS_DB);
  const before = (await listRoles(events)).find(({ name }) => name === role)?.permissions ?? [];
  const after = [...new Set(permissions)].toSorted();
  await recordOperatorAction(database(env.DB), {
    action,
    type: 'operator.event_role_changed',
    subject: role,
    createdAt: Date.now(),
    details: { reason },
    before: { permissions: before },
    after: { permissions: after },
  });
  await setRolePermissions(events, role, after);
  return listRoles(events);
}
