import { findAssetsNamed } from '../../../data/catalog/asset-names.ts';
import type { AssetRow } from '../../../data/catalog/assets.ts';
import { database } from '../../../data/database.ts';
import type { AccountFacts } from '../../../domain/identity/principal.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import { type ApiError, apiError } from '../../../protocol/errors/api-error.ts';
import { knownAssets } from '../../accounts/known-asset.ts';

/**
 * Ids of the assets that a person names by symbol or by name, in that order. A symbol is one asset's; a name counts where no other asset that the
 * account may learn of has it.
 *
 * @returns ASSET_NOT_FOUND with the `row` of the first that is none or several, VALIDATION_ERROR with that of one that is named again
 */
export async function assetsNamed(
  env: Env,
  facts: AccountFacts,
  names: readonly string[],
): Promise<Result<readonly string[], ApiError>> {
  if (names.length === 0) return ok([]);
  // Of money nobody has a position: a limit of it would hold nobody to anything.
  const named = (await findAssetsNamed(database(env.DB), names)).filter(({ rail }) => rail !== null);
  const known = [...(await knownAssets(env, facts, named)).values()];
  const ids: string[] = [];
  for (const [row, name] of names.entries()) {
    const asset = onlyOneNamed(known, name);
    if (asset === null) return err(apiError('ASSET_NOT_FOUND', 'no such asset', { row }));
    if (ids.includes(asset.id))
      return err(apiError('VALIDATION_ERROR', 'each asset is named once', { row, field: 'asset' }));
    ids.push(asset.id);
  }
  return ok(ids);
}

function onlyOneNamed(known: readonly AssetRow[], name: string): AssetRow | null {
  const written = name.toLowerCase();
  const bySymbol = known.filter(({ symbol }) => symbol.toLowerCase() === written);
  const found = bySymbol.length > 0 ? bySymbol : known.filter((asset) => asset.name.toLowerCase() === written);
  return found.length === 1 ? (found[0] ?? null) : null;
}
