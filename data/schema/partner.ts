import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { PARTNER_ROLES, PARTNER_STATES } from '../../domain/partner/partner-organization.ts';
import {
  AGENT_STATES,
  ISSUER_TYPES,
  PARTNER_ASSET_TYPES,
  type PendingSecurityChange,
  type Restrictions,
  SECURITY_CLASSES,
  SECURITY_STATES,
} from '../../domain/partner/security.ts';
import { SECURITY_ACTORS } from '../../domain/partner/security-state.ts';
import { organizations } from './accounts.ts';

/** Organizations that list securities here or keep their registers (docs/design/partner.md#organizations). A record of D1's own. */
export const partnerOrganizations = sqliteTable(
  'partner_organizations',
  {
    organization: text()
      .primaryKey()
      .references(() => organizations.id),
    role: text({ enum: PARTNER_ROLES }).notNull(),
    firmName: text().notNull(),
    /** Of a cross-lister: that of its broker-dealer at the CRD. */
    crdNumber: text(),
    /** Of a transfer agent: that of its registration with the SEC. */
    secRegistrationNumber: text(),
    contactEmail: text().notNull(),
    state: text({ enum: PARTNER_STATES }).notNull(),
    /** Why it was refused or suspended. */
    reason: text(),
    /** Of a transfer agent: who checks its registration, under which id of theirs, when last, and when it was found to be right. */
    verificationProvider: text(),
    verificationReference: text(),
    checkedAt: integer(),
    verifiedAt: integer(),
    /** When its registration must have been found right again. */
    verificationExpiresAt: integer(),
    /** Of the check that is open: what it is asked under; null for none. */
    checkId: text(),
    /** Keyed hash of the address that applied. */
    appliedFrom: text().notNull().default(''),
    createdAt: integer().notNull(),
    updatedAt: integer().notNull(),
  },
  (t) => [
    index('partner_organizations_state').on(t.state, t.organization),
    index('partner_organizations_checks').on(t.checkedAt).where(sql`${t.checkId} is not null`),
    index('partner_organizations_address').on(t.appliedFrom, t.createdAt),
  ],
);

/** Securities that partners have brought to the venue (docs/design/partner.md#securities). A record of D1's own. */
export const securities = sqliteTable(
  'securities',
  {
    /** UUIDv7; once it is listed, of its asset too. */
    id: text().primaryKey(),
    /** Of the cross-lister. */
    organization: text()
      .notNull()
      .references(() => partnerOrganizations.organization),
    state: text({ enum: SECURITY_STATES }).notNull(),
    /** Why it was refused, halted or delisted. */
    reason: text(),
    /** Who has halted it, and may lift that. */
    haltedBy: text({ enum: SECURITY_ACTORS }),
    /** Who has delisted it. */
    delistedBy: text({ enum: SECURITY_ACTORS }),
    assetName: text().notNull(),
    assetType: text({ enum: PARTNER_ASSET_TYPES }).notNull(),
    securityClass: text({ enum: SECURITY_CLASSES }).notNull(),
    shareClass: text().notNull(),
    issuerId: text().notNull(),
    issuerName: text().notNull(),
    issuerType: text({ enum: ISSUER_TYPES }).notNull(),
    cusip: text(),
    isin: text(),
    /** Symbol of the currency that it is quoted in. */
    currency: text().notNull(),
    /** Scaled by VALUATION_SCALE. */
    lastValuationPrice: integer().notNull(),
    /** YYYY-MM-DD */
    lastValuationDate: text().notNull(),
    /** As its lister states them. */
    restrictions: text({ mode: 'json' }).$type<Restrictions>().notNull(),
    /** The fields that its transfer agent states; null for none. */
    agentRestrictions: text({ mode: 'json' }).$type<Partial<Restrictions>>(),
    transferAgent: text().references(() => partnerOrganizations.organization),
    /** Null without an agent. */
    agentState: text({ enum: AGENT_STATES }),
    agentReason: text(),
    /** Of its asset and its market; null until it is listed. */
    symbol: text(),
    market: text(),
    /** A step that is under way: written with what began it, gone once its asset and market have followed. */
    pending: text({ mode: 'json' }).$type<PendingSecurityChange>(),
    /** When the pending step was last gone on with. */
    triedAt: integer().notNull().default(0),
    /** One more with each change. */
    version: integer().notNull().default(1),
    createdAt: integer().notNull(),
    updatedAt: integer().notNull(),
  },
  (t) => [
    index('securities_organization').on(t.organization, t.id),
    index('securities_agent').on(t.transferAgent, t.id).where(sql`${t.transferAgent} is not null`),
    index('securities_state').on(t.state, t.id),
    index('securities_pending').on(t.triedAt).where(sql`${t.pending} is not null`),
    uniqueIndex('securities_market').on(t.market).where(sql`${t.market} is not null`),
  ],
);
