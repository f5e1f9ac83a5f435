import type { AccreditationType, Regulation } from '../assets/asset.ts';

/** P-XLR-02 */
export const PARTNER_ASSET_TYPES = ['private_security'] as const;

/** What `security_class` may say (P-XLR-03). */
export const SECURITY_CLASSES = [
  'common_stock',
  'preferred_stock',
  'membership_interest',
  'partnership_interest',
  'unit',
  'note',
  'trust_certificate',
  'other',
] as const;

/** P-IST-01 to P-IST-07 */
export const ISSUER_TYPES = [
  'private_corporation',
  'limited_liability_company',
  'limited_partnership',
  'public_company',
  'sole_proprietorship',
  'special_purpose_vehicle',
  'trust',
] as const;

/** What becomes of a cross-listed security; `refused` and `delisted` are final. */
export const SECURITY_STATES = ['submitted', 'listed', 'halted', 'refused', 'delisted'] as const;

export type SecurityState = (typeof SECURITY_STATES)[number];

/** Whether the transfer agent that its lister names acts for it. */
export const AGENT_STATES = ['proposed', 'accepted', 'declined'] as const;

/** Decimals of `last_valuation_price`. */
export const VALUATION_SCALE = 4;

/** Restrictions on transfers of a security (P-RES-01 to P-RES-04). */
export interface Restrictions {
  readonly legendRequired: boolean;
  /** A statement of the issuer's; the hold of a lot is the ledger's (docs/design/compliance.md). */
  readonly rule144HoldingPeriodMet: boolean;
  /** Free text, shown and not interpreted. */
  readonly transferRestrictions: string;
  /** YYYY-MM-DD; null for none. */
  readonly lockUpExpiryDate: string | null;
}

/** What the operator who lists a security decides; prices and sizes in numbers. */
export interface SecurityListing {
  readonly symbol: string;
  /** Decimals of a quantity. */
  readonly scale: number;
  readonly regulation: Regulation;
  readonly accreditationType: AccreditationType | null;
  readonly priceScale: number;
  readonly tickSize: number;
  readonly lotSize: number;
  readonly minSize: number;
  readonly maxSize: number;
  readonly makerFeeBps: number;
  readonly takerFeeBps: number;
  /** What its market goes by before it has traded; null or left out: the price of its last valuation, on the tick. */
  readonly referencePrice?: number | null | undefined;
  readonly bandBps?: number | undefined;
  readonly bandHaltSeconds?: number | undefined;
}

/** A step of a security that its asset and its market are to follow. */
export interface PendingSecurityChange {
  /** Of the action that began it, its actor and its request. */
  readonly id: string;
  readonly actor: string;
  readonly requestId: string;
  readonly reason: string;
  /** What is to follow: its listing, its state, or the lock-up alone. */
  readonly step: 'listing' | 'state' | 'lockup';
  /** Of a listing; null for any other step. */
  readonly listing: SecurityListing | null;
}
