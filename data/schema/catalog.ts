import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import {
  ACCREDITATION_TYPES,
  ASSET_CATEGORIES,
  ASSET_STATUSES,
  EXECUTION_ROUTE_NAMES,
  RAILS,
  REGULATIONS,
} from '../../domain/assets/asset.ts';

/** Everything that a balance can be of: securities, crypto, currencies, and allowances (docs/design/ledger.md#limits-as-balances). */
export const assets = sqliteTable(
  'assets',
  {
    id: text().primaryKey(),
    symbol: text().notNull().unique(),
    name: text().notNull(),
    category: text({ enum: ASSET_CATEGORIES }).notNull(),
    /** Null for currencies and allowances. */
    rail: text({ enum: RAILS }),
    exchange: text(),
    status: text({ enum: ASSET_STATUSES }).notNull().default('APPROVED'),
    /** Decimals of a quantity. */
    scale: integer().notNull(),
    tradeable: integer({ mode: 'boolean' }).notNull().default(true),
    /** Null for what is not traded itself. */
    executionRoute: text({ enum: EXECUTION_ROUTE_NAMES }),
    accreditationType: text({ enum: ACCREDITATION_TYPES }),
    regulation: text({ enum: REGULATIONS }),
    offeringType: text(),
    tracksLots: integer({ mode: 'boolean' }).notNull().default(false),
    issuerName: text(),
    /** Account that the issuer's shares and money are of; null where nobody has named one. */
    issuerAccount: text(),
    description: text(),
    /** Address of its image elsewhere; '' for none. */
    image: text().notNull().default(''),
    /** Of an asset without a market: US dollars, scaled by PRICE_SCALE_WITHOUT_MARKET; null where nobody has stated one. */
    referencePrice: integer(),
    /** Until when nobody may sell it, whatever their lots say: a lock-up of its issuer's; null for none. */
    lockupEndsAt: integer(),
    /** Its image in the bucket ASSET_IMAGES; null for none. */
    imageObject: text(),
    createdAt: integer().notNull(),
  },
  (t) => [index('assets_category').on(t.category)],
);

/**
 * Changes of assets of which it is not known that their markets have followed: written with the change, deleted once they have
 * (docs/design/operators.md#states-of-an-asset).
 */
export const pendingAssetChanges = sqliteTable(
  'pending_asset_changes',
  {
    /** Of the operator's action; its event says what has changed. */
    id: text().primaryKey(),
    asset: text().notNull(),
    /** When it was last gone on with: what waits longest comes first. */
    triedAt: integer().notNull(),
  },
  (t) => [index('pending_asset_changes_asset').on(t.asset), index('pending_asset_changes_tried').on(t.triedAt)],
);

/** Objects of the bucket ASSET_IMAGES that no asset names: about to be stored, given up, or replaced. */
export const unreferencedImages = sqliteTable('unreferenced_images', {
  object: text().primaryKey(),
  since: integer().notNull(),
});
