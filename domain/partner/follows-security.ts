import type { PartnerRole } from './partner-organization.ts';
import type { AGENT_STATES, SecurityState } from './security.ts';

/** A security as far as it says who sees its market data. */
export interface FollowedTerms {
  /** Its lister. */
  readonly organization: string;
  readonly state: SecurityState;
  readonly transferAgent: string | null;
  readonly agentState: (typeof AGENT_STATES)[number] | null;
}

/**
 * Whether an active partner sees a security's market data: any does while the venue has a market for it, its lister and its agent, a
 * proposed one included, always (docs/decisions/partner-market-data.md#any-active-partner-follows-a-security-that-is-listed-or-halted).
 */
export function followsSecurity(
  { organization, role }: { readonly organization: string; readonly role: PartnerRole },
  security: FollowedTerms,
): boolean {
  if (security.state === 'listed' || security.state === 'halted') return true;
  if (role === 'cross_lister') return security.organization === organization;
  const { transferAgent, agentState } = security;
  return transferAgent === organization && (agentState === 'proposed' || agentState === 'accepted');
}
