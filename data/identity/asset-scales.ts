import { inArray } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { assets } from '../schema/catalog.ts';

/** Decimals of each of these assets, by id; unknown ones are left out. At most 100 ids. */
export async function findAssetScales(db: Database, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select({ id: assets.id, scale: assets.scale })
    .from(assets)
    .where(inArray(assets.id, [...ids]));
  return new Map(rows.map((row) => [row.id, row.scale]));
}
