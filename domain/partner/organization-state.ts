import { err, ok, type Result } from '../result.ts';
import type { PARTNER_STATES, PartnerRole } from './partner-organization.ts';

type PartnerState = (typeof PARTNER_STATES)[number];

/** What an operator does about a partner. */
export const PARTNER_ACTIONS = ['approve', 'refuse', 'suspend', 'reinstate', 'recheck'] as const;

export type PartnerAction = (typeof PARTNER_ACTIONS)[number];

/** What else happens to one: a finding about its registration, the end of that, and no decision within 30 days. */
export type PartnerHappening = 'verified' | 'not_verified' | 'registration_ended' | 'lapsed';

/** docs/design/partner.md#organizations */
const NEXT: Readonly<Record<PartnerAction | PartnerHappening, Readonly<Partial<Record<PartnerState, PartnerState>>>>> =
  {
    approve: { applied: 'active' },
    refuse: { applied: 'refused' },
    suspend: { active: 'suspended' },
    reinstate: { suspended: 'active' },
    recheck: { refused: 'applied', suspended: 'applied' },
    verified: { applied: 'active', active: 'active' },
    not_verified: { applied: 'refused', active: 'suspended' },
    registration_ended: { active: 'suspended' },
    lapsed: { applied: 'refused' },
  };

export type PartnerStateFailure =
  | { readonly reason: 'wrong_state'; readonly from: PartnerState }
  /** A transfer agent becomes active by a finding about its registration alone. */
  | { readonly reason: 'not_by_an_operator' }
  /** A cross-lister has no registration that is checked. */
  | { readonly reason: 'no_registration' }
  /** A reinstated agent's registration must have been found right, and not have ended. */
  | { readonly reason: 'registration_not_in_force' };

interface Standing {
  readonly role: PartnerRole;
  readonly state: PartnerState;
  /** Unix milliseconds; null where its registration was never found right. */
  readonly verificationExpiresAt: number | null;
}

/** What a partner becomes, or why it does not. */
export function nextPartnerState(
  { role, state, verificationExpiresAt }: Standing,
  event: PartnerAction | PartnerHappening,
  now: number,
): Result<PartnerState, PartnerStateFailure> {
  const isAgent = role === 'transfer_agent';
  if (isAgent && event === 'approve') return err({ reason: 'not_by_an_operator' });
  if (!isAgent && event === 'recheck') return err({ reason: 'no_registration' });
  const next = NEXT[event][state];
  if (next === undefined) return err({ reason: 'wrong_state', from: state });
  const isInForce = verificationExpiresAt !== null && verificationExpiresAt > now;
  if (isAgent && event === 'reinstate' && !isInForce) return err({ reason: 'registration_not_in_force' });
  return ok(next);
}
