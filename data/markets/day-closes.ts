import { sql } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { marketOfAsset } from './market-of-asset.ts';

/** An asset with what its prices are counted in. */
export interface AssetMarketRow {
  readonly assetId: string;
  readonly symbol: string;
  /** Its market against cash; null without one. */
  readonly book: string | null;
  readonly route: 'internal' | 'broker' | 'prime' | 'indication' | null;
  readonly quantityScale: number;
  readonly priceScale: number | null;
  /** Of the market, else of the asset. */
  readonly referencePrice: number | null;
}

/** The markets against cash of assets; unknown ones are left out. */
export function listMarketsOfAssets(db: Database, assetIds: readonly string[]): Promise<AssetMarketRow[]> {
  return db.all<AssetMarketRow>(sql`
    SELECT a.id AS assetId, a.symbol, m.symbol AS book, m.route, a.scale AS quantityScale, m.price_scale AS priceScale,
           m.reference_price AS referencePrice
    FROM json_each(${JSON.stringify(assetIds)}) wanted JOIN assets a ON a.id = wanted.value
    LEFT JOIN markets m ON m.symbol = ${marketOfAsset({ id: sql`a.id`, executionRoute: sql`a.execution_route` })}`);
}

export interface DayCloseRow {
  readonly book: string;
  /** Midnight of UTC. */
  readonly day: number;
  readonly close: number;
}

/** What markets closed at each day from a midnight of UTC on, and at the last one before it that has a trade; by day. */
export function listDayCloses(db: Database, books: readonly string[], from: number): Promise<DayCloseRow[]> {
  const since = sql`CAST(${from} AS INTEGER)`;
  return db.all<DayCloseRow>(sql`
    SELECT b.book, b.bucket AS day, b.close
    FROM json_each(${JSON.stringify(books)}) wanted JOIN bars b ON b.book = wanted.value AND b.interval = '1d' AND b.bucket >= coalesce(
      (SELECT max(bucket) FROM bars WHERE book = wanted.value AND interval = '1d' AND bucket < ${since}), ${since})
    ORDER BY b.bucket`);
}
