import { and, asc, eq, ne } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { assets } from '../schema/catalog.ts';
import type { AssetRow } from './assets.ts';

/** What is paid in and out on request: money, commodities and crypto. Securities have lots, and go by their transfer agent. */
export function listPayableAssets(db: Database, limit: number): Promise<AssetRow[]> {
  return db
    .select()
    .from(assets)
    .where(and(eq(assets.tracksLots, false), ne(assets.category, 'allowance')))
    .orderBy(asc(assets.symbol))
    .limit(limit);
}
