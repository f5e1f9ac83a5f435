import type { ComplianceFacts } from '../accounts/account.ts';
import type { AccreditationEnd } from '../accreditation/accreditation-at.ts';
import type { EventRole } from '../events/permissions.ts';
import type { PartnerRole } from '../partner/partner-organization.ts';

/** What an API key may do. */
export const SCOPES = ['read', 'trade'] as const;

export type Scope = (typeof SCOPES)[number];

export type Role = 'trader' | 'operator' | 'access_manager' | 'auditor' | PartnerRole | EventRole;

/** Compliance facts of the caller's trading account; `factsVersion` is asserted again at admission. */
export interface AccountFacts extends ComplianceFacts {
  readonly accountId: string;
  /** Accounts that are family of this one, 17 CFR 227.501(c); left out for none. */
  readonly family?: readonly string[];
  /** Who has the account, of an investor that the organization has introduced; left out for any other. */
  readonly investor?: string;
  /** Until when the identity counts, Unix milliseconds (`kycStatusAt`); left out for no end. */
  readonly identityEndsAt?: number;
  /** Until when a verification by a third party counts (`accreditationAt`); left out for no end. */
  readonly accreditationEnd?: AccreditationEnd;
  readonly factsVersion: number;
}

/** Who is calling, as every profile sees it. */
export interface Principal {
  /** `user`: a person by token; `client`: a machine client by token; `key`: an API key. */
  readonly kind: 'user' | 'client' | 'key';
  readonly userId: string;
  /** The organization: the `owner` claim. */
  readonly owner: string;
  readonly roles: readonly Role[];
  readonly scopes: readonly Scope[];
  readonly keyId: string | null;
  /** When the access token of a `user` or `client` was issued, Unix seconds; null for an API key, whose state admission asserts. */
  readonly tokenIssuedAt: number | null;
  /** Of an API key; another one once its secret has been replaced. */
  readonly secretVersion: string | null;
  /** Largest position per asset id in scaled units, of an API key; null for none. */
  readonly positionLimits: Readonly<Record<string, number>> | null;
  /** Largest loss of a UTC day in US cents, of an API key; null for none. */
  readonly dailyLossMax: number | null;
  /** Largest order per asset id in scaled units, of an API key; null for none. */
  readonly orderSizeLimits: Readonly<Record<string, number>> | null;
  /** Largest notional of the orders placed in a UTC day in US cents, of an API key; null for none. */
  readonly dailyNotionalMax: number | null;
  /** Markets that an API key may trade; null for all. */
  readonly symbols: readonly string[] | null;
  /** Null for a principal without a trading account. */
  readonly facts: AccountFacts | null;
  readonly clientAddress: string;
}
