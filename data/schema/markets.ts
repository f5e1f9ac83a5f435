import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { BAR_INTERVALS } from '../../domain/charts/bar-interval.ts';
import { MARKET_ROUTES, MARKET_STATUSES } from '../../domain/markets/market.ts';
import { TRADING_HOURS } from '../../domain/markets/trading-hours.ts';
import { assets } from './catalog.ts';

/**
 * Trading pairs with a book of their own: domain/markets/market.ts says what each column means. What an operator may change of them,
 * and its version, is projected from the ledger.
 */
export const markets = sqliteTable(
  'markets',
  {
    symbol: text().primaryKey(),
    route: text({ enum: MARKET_ROUTES }).notNull().default('internal'),
    baseAsset: text()
      .notNull()
      .references(() => assets.id),
    quoteAsset: text()
      .notNull()
      .references(() => assets.id),
    priceScale: integer().notNull(),
    tickSize: integer().notNull(),
    lotSize: integer().notNull(),
    quantityMin: integer().notNull(),
    quantityMax: integer().notNull(),
    makerFeeBps: integer().notNull().default(0),
    takerFeeBps: integer().notNull().default(0),
    bandBps: integer().notNull().default(0),
    bandHaltSeconds: integer().notNull().default(0),
    /** Unix ms at which the last halt of its own ends, or has ended; null before the first. Told by its book. */
    haltedUntil: integer(),
    /** Where the price band lies and goes: domain/markets/band-reference.ts. Told by its book; `bandToldAt` null before it was told so. */
    bandReference: integer(),
    bandTarget: integer(),
    bandToldAt: integer(),
    bandStatement: integer(),
    referencePrice: integer(),
    referenceStatement: integer(),
    status: text({ enum: MARKET_STATUSES }).notNull().default('open'),
    /** When its orders may go to the broker. */
    tradingHours: text({ enum: TRADING_HOURS }).notNull().default('always'),
    rulesVersion: integer().notNull().default(1),
    createdAt: integer().notNull(),
  },
  (t) => [index('markets_base_asset').on(t.baseAsset), index('markets_halted').on(t.haltedUntil)],
);

/** One row: the market-wide halt, projected from the ledger. */
export const venue = sqliteTable('venue', {
  id: integer().primaryKey(),
  halted: integer({ mode: 'boolean' }).notNull().default(false),
});

/**
 * What was stated of assets that markets quote in, version by version: units of the venue's dollar for `denominator` units of the asset. The
 * highest version of an asset is in force. Created WITHOUT ROWID.
 */
export const rates = sqliteTable(
  'rates',
  {
    asset: text().notNull(),
    version: integer().notNull(),
    numerator: integer().notNull(),
    denominator: integer().notNull(),
    statedAt: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.asset, t.version] })],
);

/** Bars per market and interval, summed up by the projection. `bucket` is the bar's start. Created WITHOUT ROWID. */
export const bars = sqliteTable(
  'bars',
  {
    book: text().notNull(),
    interval: text({ enum: BAR_INTERVALS }).notNull(),
    bucket: integer().notNull(),
    open: integer().notNull(),
    high: integer().notNull(),
    low: integer().notNull(),
    close: integer().notNull(),
    volume: integer().notNull(),
    quoteVolume: integer().notNull(),
    trades: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.book, t.interval, t.bucket] })],
);
