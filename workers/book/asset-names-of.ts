import { type AssetName, findAssetNames } from '../../data/catalog/asset-names.ts';
import { database } from '../../data/database.ts';

const ASSETS_MAX = 10_000;

/** Assets that this isolate has read, by id: what is kept of them never changes. */
const known = new Map<string, AssetName>();

/** Names and scales of assets, by id; D1 is asked for those alone that were never read. Unknown ones are left out. */
export async function assetNamesOf(
  env: Pick<Env, 'DB'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, AssetName>> {
  const missing = ids.filter((id) => !known.has(id));
  const read = missing.length === 0 ? [] : await findAssetNames(database(env.DB), missing);
  const names = new Map(read.map((asset) => [asset.id, asset]));
  for (const id of ids) {
    const asset = known.get(id);
    if (asset !== undefined) names.set(id, asset);
  }
  for (const asset of read) {
    if (known.size >= ASSETS_MAX) known.delete(known.keys().next().value ?? '');
    known.set(asset.id, asset);
  }
  return names;
}
