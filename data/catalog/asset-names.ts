import { sql } from 'drizzle-orm';
import type { Database } from '../database.ts';
import type { AssetRow } from './assets.ts';

/** What never changes of an asset. */
export type AssetName = Readonly<Pick<AssetRow, 'id' | 'symbol' | 'scale' | 'category'>>;

/** Assets under these ids; unknown ones are left out. */
export function findAssetNames(db: Database, ids: readonly string[]): Promise<AssetName[]> {
  return db.all<AssetName>(
    sql`SELECT id, symbol, scale, category FROM assets WHERE id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`,
  );
}
