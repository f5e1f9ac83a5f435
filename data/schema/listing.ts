import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { ALLOCATIONS } from '../../domain/listing/allocate-shares.ts';
import { ALLOTMENT_OUTCOMES, LISTING_STATES } from '../../domain/listing/listing-state.ts';

/**
 * Listing events of pre-IPO assets (docs/design/pre-ipo.md#the-listing-event): a record of its own, as are its allotments. What they moved
 * stands in the ledger.
 */
export const listingEvents = sqliteTable(
  'listing_events',
  {
    /** Of the operator's action. */
    id: text().primaryKey(),
    asset: text().notNull(),
    /** Market of its indications. */
    book: text().notNull(),
    state: text({ enum: LISTING_STATES }).notNull(),
    price: integer().notNull(),
    sharesOffered: integer().notNull(),
    lotSize: integer().notNull(),
    allocation: text({ enum: ALLOCATIONS }).notNull(),
    lockupMonths: integer().notNull(),
    /** What binds the lots that investors get. */
    restrictionEndsAt: integer(),
    offeringType: text(),
    issuerAccount: text().notNull(),
    /** Whether the asset gets its pair afterwards. */
    opensMarket: integer({ mode: 'boolean' }).notNull(),
    /** The issuer's order. */
    offerId: text().notNull(),
    /** Why it came to nothing: a code of docs/design/gateways.md#errors. */
    code: text(),
    /** Operator and request, for the entries of what follows. */
    actor: text().notNull(),
    requestId: text().notNull(),
    createdAt: integer().notNull(),
    updatedAt: integer().notNull(),
    /** When an operator stopped it. */
    stoppedAt: integer(),
  },
  (t) => [
    // An asset is listed once at a time.
    uniqueIndex('listing_events_open').on(t.asset).where(sql`${t.state} not in ('done', 'refused')`),
    index('listing_events_asset').on(t.asset, t.id),
    index('listing_events_updated').on(t.updatedAt),
  ],
);

/** What became of each indication at a listing event. */
export const listingAllotments = sqliteTable(
  'listing_allotments',
  {
    event: text().notNull(),
    /** In order of arrival, from 0. */
    position: integer().notNull(),
    orderId: text().notNull(),
    account: text().notNull(),
    /** As it was indicated. */
    quantity: integer().notNull(),
    price: integer().notNull(),
    allotted: integer().notNull(),
    outcome: text({ enum: ALLOTMENT_OUTCOMES }).notNull(),
    /** The rule that stood in the way, and the code that orders have for it. */
    rule: text(),
    code: text(),
  },
  (t) => [
    primaryKey({ columns: [t.event, t.position] }),
    index('listing_allotments_pending').on(t.event, t.position).where(sql`${t.outcome} = 'pending'`),
  ],
);
