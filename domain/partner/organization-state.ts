import { err, ok, type Result } from '../result.ts';
import type { PARTNER_STATES, PartnerRole } from './partner-organization.ts';

type PartnerState = (typeof PARTNER_STATES)[number];

/** What an operator does about a partner. */
export const PARTNER_ACTIONS = ['approve', 'refuse', 'suspend', 'reinstate', 'recheck', 'release-number'] as const;

export type PartnerAction = (typeof PARTNER_ACTIONS)[number];

/**
 * What else happens to one: a finding about its registration, the end of that, and no decision within 30 days. A finding is `verified` where the verifier
 * has proved that who applies speaks for the firm, and `number_verified` where it has found the number alone, which is public.
 */
export type PartnerHappening = 'verified' | 'number_verified' | 'not_verified' | 'registration_ended' | 'lapsed';

/** docs/design/partner.md#organizations */
const NEXT: Readonly<Record<PartnerAction | PartnerHappening, Readonly<Partial<Record<PartnerState, PartnerState>>>>> =
  {
    approve: { applied: 'active' },
    refuse: { applied: 'refused' },
    suspend: { active: 'suspended' },
    reinstate: { suspended: 'active' },
    recheck: { refused: 'applied', suspended: 'applied' },
    'release-number': { active: 'refused', suspended: 'refused' },
    verified: { applied: 'active', active: 'active' },
    number_verified: { applied: 'applied', active: 'active' },
    not_verified: { applied: 'refused', active: 'suspended' },
    registration_ended: { active: 'suspended' },
    lapsed: { applied: 'refused' },
  };

export type PartnerStateFailure =
  | { readonly reason: 'wrong_state'; readonly from: PartnerState }
  /** Its registration is being checked: what was found before counts no longer. */
  | { readonly reason: 'registration_being_checked' }
  /** A cross-lister has no registration that is checked. */
  | { readonly reason: 'no_registration' }
  /** The registration of an agent that is approved or reinstated must have been found right, and not have ended. */
  | { readonly reason: 'registration_not_in_force' };

interface Standing {
  readonly role: PartnerRole;
  readonly state: PartnerState;
  /** Unix milliseconds; null where its registration was never found right. */
  readonly verificationExpiresAt: number | null;
  /** Of the check that is open; null for none. */
  readonly checkId: string | null;
}

/** What a partner becomes, or why it does not. */
export function nextPartnerState(
  { role, state, verificationExpiresAt, checkId }: Standing,
  event: PartnerAction | PartnerHappening,
  now: number,
): Result<PartnerState, PartnerStateFailure> {
  const isAgent = role === 'transfer_agent';
  if (!isAgent && (event === 'recheck' || event === 'release-number')) return err({ reason: 'no_registration' });
  const next = NEXT[event][state];
  if (next === undefined) return err({ reason: 'wrong_state', from: state });
  if (!isAgent || (event !== 'approve' && event !== 'reinstate')) return ok(next);
  if (checkId !== null) return err({ reason: 'registration_being_checked' });
  const isInForce = verificationExpiresAt !== null && verificationExpiresAt > now;
  return isInForce ? ok(next) : err({ reason: 'registration_not_in_force' });
}
