import type { Principal } from '../../domain/identity/principal.ts';
import { VENUE_OWNER } from '../../domain/identity/venue.ts';

/** A user manages their own credentials, an operator those of their organization, one of the venue everyone's. */
export function mayManageUser(principal: Principal, user: { readonly id: string; readonly owner: string }): boolean {
  if (user.id === principal.userId) return user.owner === principal.owner;
  return principal.roles.includes('operator') && (principal.owner === user.owner || principal.owner === VENUE_OWNER);
}
