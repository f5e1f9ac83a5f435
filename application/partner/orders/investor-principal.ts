import type { AccountFacts, Principal } from '../../../domain/identity/principal.ts';

/** Who places, reads and cancels orders of an investor's account: its partner, under no key. */
export function investorPrincipal(
  organization: string,
  investor: string,
  facts: AccountFacts,
  clientAddress: string,
): Principal {
  return {
    kind: 'client',
    userId: investor,
    owner: organization,
    roles: ['trader'],
    scopes: ['read', 'trade'],
    keyId: null,
    // The partner's own token was verified; the account's facts are asserted at admission.
    tokenIssuedAt: null,
    secretVersion: null,
    positionLimits: null,
    dailyLossMax: null,
    orderSizeLimits: null,
    dailyNotionalMax: null,
    symbols: null,
    facts,
    clientAddress,
  };
}
