import { eq, inArray } from 'drizzle-orm';
import type { AssetRow } from '../catalog/assets.ts';
import type { Database } from '../database.ts';
import { assets } from '../schema/catalog.ts';
import { markets } from '../schema/markets.ts';

/** A market, and what says who may know of it. */
interface MarketAsset {
  readonly symbol: string;
  readonly asset: Pick<AssetRow, 'id' | 'rail' | 'status' | 'accreditationType' | 'category'>;
}

/** The markets under these symbols, each with the asset that it trades; unknown ones are left out. At most 100 symbols. */
export function findMarketAssets(db: Database, symbols: readonly string[]): Promise<MarketAsset[]> {
  const { id, rail, status, accreditationType, category } = assets;
  return db
    .select({ symbol: markets.symbol, asset: { id, rail, status, accreditationType, category } })
    .from(markets)
    .innerJoin(assets, eq(assets.id, markets.baseAsset))
    .where(inArray(markets.symbol, [...symbols]));
}
