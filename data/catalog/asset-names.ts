import { sql } from 'drizzle-orm';
import type { AssetCategory } from '../../domain/assets/asset.ts';
import type { Database } from '../database.ts';

/** What never changes of an asset. */
export interface AssetName {
  readonly id: string;
  readonly symbol: string;
  /** Decimals of a quantity. */
  readonly scale: number;
  readonly category: AssetCategory;
}

/** Assets under these ids; unknown ones are left out. */
export function findAssetNames(db: Database, ids: readonly string[]): Promise<AssetName[]> {
  return db.all<AssetName>(
    sql`SELECT id, symbol, scale, category FROM assets WHERE id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`,
  );
}
