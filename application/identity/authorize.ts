import type { Permission } from '../../domain/events/permissions.ts';
import { holdsPower, type Power } from '../../domain/identity/powers.ts';
import type { Principal, Scope } from '../../domain/identity/principal.ts';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';
import { rolesGrant } from './roles-grant.ts';

/** What something needs of its caller; undefined needs nothing. */
export interface Needs {
  readonly scope?: Scope | undefined;
  readonly power?: Power | undefined;
  readonly permission?: Permission | undefined;
}

/** Why the caller may not do it, or null. */
export async function authorize(
  env: Env,
  principal: Principal,
  { scope, power, permission }: Needs,
): Promise<ApiError | null> {
  if (scope !== undefined && !principal.scopes.includes(scope))
    return apiError('FORBIDDEN', 'the key lacks the scope', { scope });
  if (power !== undefined && !holdsPower(principal, power))
    return apiError('FORBIDDEN', 'the caller lacks the power', { power });
  if (permission !== undefined && !(await rolesGrant(env, principal.roles, permission)))
    return apiError('FORBIDDEN', 'no role of the caller grants the permission', { permission });
  return null;
}
