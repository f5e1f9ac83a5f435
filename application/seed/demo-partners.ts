import type { SecurityListing } from '../../domain/partner/security.ts';

/** A UUIDv7 of 1 January 2026, so that what the demo's partners do later sorts after it. */
export function demoId(number: number): string {
  return `019b76da-a800-7000-9000-${number.toString(16).padStart(12, '0')}`;
}

/** The partners of the demo: their machine clients are called as they are. Local only: the secrets stand in the source. */
export const DEMO_LISTER = {
  id: demoId(1),
  name: 'Demo ATS LLC',
  crdNumber: '101010',
  contactEmail: 'lister@example.com',
  secret: 'demo-lister-secret-local-only',
} as const;

export const DEMO_AGENT = {
  id: demoId(2),
  name: 'Demo Transfer Agent Co.',
  secRegistrationNumber: '84-10101',
  contactEmail: 'agent@example.com',
  secret: 'demo-agent-secret-local-only',
} as const;

/** What the lister has brought to the venue, and the agent keeps the register of. */
export const DEMO_SECURITY = {
  id: demoId(3),
  organization: DEMO_LISTER.id,
  assetName: 'Lakeside Robotics Series B Preferred',
  assetType: 'private_security',
  securityClass: 'preferred_stock',
  shareClass: 'Series B',
  issuerId: 'LSR-0042',
  issuerName: 'Lakeside Robotics, Inc.',
  issuerType: 'private_corporation',
  cusip: null,
  isin: null,
  currency: 'USD',
  /** In 1/10,000 of the currency. */
  lastValuationPrice: 425_000,
  lastValuationDate: '2025-12-31',
  restrictions: {
    legendRequired: true,
    rule144HoldingPeriodMet: false,
    transferRestrictions: 'Right of first refusal of the issuer',
    lockUpExpiryDate: null,
  },
  transferAgent: DEMO_AGENT.id,
} as const;

export const DEMO_LISTING: SecurityListing = {
  symbol: 'LSRB',
  scale: 0,
  regulation: 'reg_d_506c',
  accreditationType: '506c',
  priceScale: 2,
  tickSize: 0.01,
  lotSize: 1,
  minSize: 1,
  maxSize: 1_000_000,
  makerFeeBps: 0,
  takerFeeBps: 0,
};

/** Investors whom the lister has introduced, each with an account: one to sell, one to buy. `cash` in dollars. */
export const DEMO_INVESTORS = [
  { id: demoId(4), account: demoId(5), name: 'Priya Raman', cash: 0, shares: 1_000, certificate: 'LSRB-0001' },
  { id: demoId(6), account: demoId(7), name: 'Juniper Winters', cash: 100_000, shares: 0, certificate: null },
] as const;
