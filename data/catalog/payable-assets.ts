import { and, asc, desc, eq, ne } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { assets } from '../schema/catalog.ts';
import type { AssetRow } from './assets.ts';

/** What is paid in and out on request: money, commodities and crypto. Securities have lots, and go by their transfer agent. */
export function listPayableAssets(db: Database, limit: number): Promise<AssetRow[]> {
  return (
    db
      .select()
      .from(assets)
      .where(and(eq(assets.tracksLots, false), ne(assets.category, 'allowance')))
      // However many others there are: nobody is without the money of the venue.
      .orderBy(desc(eq(assets.category, 'currency')), asc(assets.symbol))
      .limit(limit)
  );
}
