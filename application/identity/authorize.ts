import type { Permission } from '../../domain/events/permissions.ts';
import type { Principal, Role, Scope } from '../../domain/identity/principal.ts';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';
import { rolesGrant } from './roles-grant.ts';

/** What something needs of its caller; undefined needs nothing. */
export interface Needs {
  readonly scope?: Scope | undefined;
  readonly role?: Role | undefined;
  readonly permission?: Permission | undefined;
}

/** Why the caller may not do it, or null. */
export async function authorize(
  env: Env,
  { scopes, roles }: Principal,
  { scope, role, permission }: Needs,
): Promise<ApiError | null> {
  if (scope !== undefined && !scopes.includes(scope))
    return apiError('FORBIDDEN', 'the key lacks the scope', { scope });
  if (role !== undefined && !roles.includes(role)) return apiError('FORBIDDEN', 'the caller lacks the role', { role });
  if (permission !== undefined && !(await rolesGrant(env, roles, permission)))
    return apiError('FORBIDDEN', 'no role of the caller grants the permission', { permission });
  return null;
}
