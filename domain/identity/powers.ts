import type { Principal, Role } from './principal.ts';
import { VENUE_OWNER } from './venue.ts';

/**
 * What people may do to others and to the venue, each with whom it reaches (docs/design/identity.md#powers). One of reach
 * `organization` reaches the holder's own organization, and everyone where the holder is the venue's; one of reach `venue` is held by
 * people of the venue alone.
 */
const REACH = {
  /** Accounts, balances, clients, tool calls, and the audit trail. */
  see_accounts: 'organization',
  /** Revokes API keys and pulls kill switches of others. */
  manage_credentials: 'organization',
  /** What people have stated and shown of themselves, in the clear: each look is written down. */
  see_identities: 'venue',
  /** The audit, and the state of books and ledger. */
  audit_venue: 'venue',
  /** Money, people, assets, markets, halts and repairs. */
  run_venue: 'venue',
  /** How much of the venue an API key may draw. */
  set_rate_limits: 'venue',
  rotate_signing_keys: 'venue',
} as const;

export type Power = keyof typeof REACH;

const POWERS = Object.keys(REACH) as Power[];

/** What a role gives its holder in the organization of the venue, and in any other. */
const POWERS_OF: Readonly<
  Partial<Record<Role, { readonly venue: readonly Power[]; readonly elsewhere: readonly Power[] }>>
> = {
  operator: { venue: POWERS, elsewhere: ['see_accounts'] },
  access_manager: {
    venue: ['see_accounts', 'manage_credentials'],
    elsewhere: ['see_accounts', 'manage_credentials'],
  },
  auditor: { venue: ['see_accounts', 'audit_venue'], elsewhere: ['see_accounts'] },
};

type Holder = Pick<Principal, 'roles' | 'owner'>;

/** Whether somebody holds a power at all. */
export function holdsPower({ roles, owner }: Holder, power: Power): boolean {
  return roles.some(
    (role) => POWERS_OF[role]?.[owner === VENUE_OWNER ? 'venue' : 'elsewhere'].includes(power) === true,
  );
}

/** The roles that give a power, in the venue's organization or in any other. */
export function rolesWithPower(power: Power, where: 'venue' | 'elsewhere'): readonly Role[] {
  return (Object.keys(POWERS_OF) as Role[]).filter((role) => POWERS_OF[role]?.[where].includes(power) === true);
}

/** All that somebody holds. */
export function powersOf(holder: Holder): readonly Power[] {
  return POWERS.filter((power) => holdsPower(holder, power));
}

export function holdsAnyPower(holder: Holder): boolean {
  return POWERS.some((power) => holdsPower(holder, power));
}

/** Whether somebody holds a power over an organization's people. */
export function hasPowerOver(holder: Holder, power: Power, organization: string): boolean {
  return holdsPower(holder, power) && (holder.owner === organization || holder.owner === VENUE_OWNER);
}
