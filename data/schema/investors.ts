import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { CHECK_KINDS, CHECK_STATUSES, INVESTOR_TYPES } from '../../domain/partner/compliance.ts';
import { READ_TIMES_IN_FORCE } from '../../domain/partner/time-in-force.ts';
import { organizations, users } from './accounts.ts';

/** Investors that partners have introduced: users who cannot sign in, for whom their partner places orders. Records of D1's own. */
export const investors = sqliteTable(
  'investors',
  {
    /** Of the user, too. */
    id: text()
      .primaryKey()
      .references(() => users.id),
    organization: text()
      .notNull()
      .references(() => organizations.id),
    name: text().notNull(),
    accountType: text({ enum: INVESTOR_TYPES }).notNull(),
    /** ISO 3166-1 alpha-2. */
    country: text().notNull(),
    usPerson: integer({ mode: 'boolean' }).notNull(),
    createdAt: integer().notNull(),
  },
  (t) => [index('investors_organization').on(t.organization, t.id)],
);

/**
 * The compliance record of an investor, one row a check: what was found last, and the request that is under way or has found it. Created with
 * its investor.
 */
export const investorChecks = sqliteTable(
  'investor_checks',
  {
    investor: text()
      .notNull()
      .references(() => investors.id),
    kind: text({ enum: CHECK_KINDS }).notNull(),
    status: text({ enum: CHECK_STATUSES }).notNull(),
    /** Who has found it, the provider's own id, and the request that it answers; null before anything was found. */
    provider: text(),
    reference: text(),
    decidedRequest: text(),
    /** Why it failed. */
    reason: text(),
    checkedAt: integer(),
    expiresAt: integer(),
    /** UUIDv7 of the last request, and whom it asks. */
    request: text().notNull(),
    requestProvider: text().notNull(),
    /** The provider's own id of the last request; null until it has answered. */
    requestReference: text(),
    /** Whether the last request waits for its finding. */
    open: integer({ mode: 'boolean' }).notNull(),
    /** When its provider was last asked about it. */
    askedAt: integer().notNull(),
    /** Whether facts of all accounts of the investor follow from what stands here. */
    applied: integer({ mode: 'boolean' }).notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.investor, t.kind] }),
    index('investor_checks_waiting').on(t.askedAt).where(sql`${t.open} = 1 OR ${t.applied} = 0`),
    index('investor_checks_expiry').on(t.expiresAt).where(sql`${t.expiresAt} IS NOT NULL`),
  ],
);

/**
 * What a partner's order has beside its terms. Written before the order is placed; of an order that a key of an investor's account has placed, when it
 * goes to the archive. A record of D1's own.
 */
export const partnerOrders = sqliteTable(
  'partner_orders',
  {
    /** Of the order. */
    id: text().primaryKey(),
    organization: text()
      .notNull()
      .references(() => organizations.id),
    investor: text()
      .notNull()
      .references(() => investors.id),
    account: text().notNull(),
    /** Of the security, and of its asset. */
    security: text().notNull(),
    /** As the partner said it: `day` has no word of its own in the order. */
    timeInForce: text({ enum: READ_TIMES_IN_FORCE }).notNull(),
    brokerDealerFirmName: text().notNull(),
    brokerDealerCrdNumber: text().notNull(),
    createdAt: integer().notNull(),
  },
  (t) => [index('partner_orders_organization').on(t.organization, t.id)],
);
