import { sql } from 'drizzle-orm';
import { caseVariants } from '../case-variants.ts';
import type { Database } from '../database.ts';
import { assets } from '../schema/catalog.ts';
import type { AssetRow } from './assets.ts';

/** What never changes of an asset. */
export type AssetName = Readonly<Pick<AssetRow, 'id' | 'symbol' | 'scale' | 'category'>>;

/** Assets under these ids; unknown ones are left out. */
export function findAssetNames(db: Database, ids: readonly string[]): Promise<AssetName[]> {
  return db.all<AssetName>(
    sql`SELECT id, symbol, scale, category FROM assets WHERE id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`,
  );
}

/** Of a page's few names: where more have them, those beyond are as good as none, and their symbol says which is meant. */
const NAMESAKES_MAX = 100;

/** Assets whose symbol or name is one of these, in whatever case. */
export async function findAssetsNamed(db: Database, names: readonly string[]): Promise<AssetRow[]> {
  const written = JSON.stringify(names.flatMap(caseVariants));
  const isWritten = (column: typeof assets.symbol | typeof assets.name) =>
    sql`lower(${column}) IN (SELECT lower(value) FROM json_each(${written}))`;
  const [bySymbol, byName] = await db.batch([
    db.select().from(assets).where(isWritten(assets.symbol)).limit(NAMESAKES_MAX),
    db.select().from(assets).where(isWritten(assets.name)).limit(NAMESAKES_MAX),
  ]);
  return [...new Map([...bySymbol, ...byName].map((asset) => [asset.id, asset])).values()];
}
