import { findOrganizationName } from '../../data/accounts/organizations.ts';
import { database } from '../../data/database.ts';
import { findUser } from '../../data/identity/users.ts';
import { findPartnerOrganization } from '../../data/partner/organizations.ts';
import { PERMISSIONS, type Permission } from '../../domain/events/permissions.ts';
import { type Power, powersOf } from '../../domain/identity/powers.ts';
import type { Principal, Role } from '../../domain/identity/principal.ts';
import { VENUE_OWNER } from '../../domain/identity/venue.ts';
import { rolesGrant } from '../identity/roles-grant.ts';

/** Who is signed in, and what they may do: read from what decides it at every route. */
export interface WhoAmI {
  readonly name: string;
  readonly organization: { readonly id: string; readonly name: string; readonly role: string | null };
  readonly roles: readonly Role[];
  readonly powers: readonly Power[];
  readonly permissions: readonly Permission[];
  readonly accountId: string | null;
}

export async function whoAmI(env: Env, principal: Principal): Promise<WhoAmI> {
  const db = database(env.DB);
  const { userId, owner, roles, facts } = principal;
  const [user, organizationName, partner] = await Promise.all([
    findUser(db, userId),
    findOrganizationName(db, owner),
    findPartnerOrganization(db, owner),
  ]);
  const granted: Permission[] = [];
  for (const permission of Object.keys(PERMISSIONS) as Permission[])
    if (await rolesGrant(env, roles, permission)) granted.push(permission);
  const isActive = partner?.state === 'active';
  return {
    name: user?.name ?? userId,
    organization: {
      id: owner,
      name: organizationName ?? owner,
      role: owner === VENUE_OWNER ? 'venue' : isActive ? partner.role : null,
    },
    roles,
    powers: powersOf(principal),
    permissions: granted,
    accountId: facts?.accountId ?? null,
  };
}
