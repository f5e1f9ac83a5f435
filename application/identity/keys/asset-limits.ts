import { findAssets } from '../../../data/catalog/assets.ts';
import { type Database, database } from '../../../data/database.ts';
import { findAssetScales } from '../../../data/identity/asset-scales.ts';
import { ownId } from '../../../domain/identity/own-id.ts';
import type { AccountFacts } from '../../../domain/identity/principal.ts';
import { AMOUNT_MAX } from '../../../domain/ledger/balances.ts';
import { fromScaled, toScaled } from '../../../domain/money/scaled.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import { type ApiError, apiError } from '../../../protocol/errors/api-error.ts';
import { knownAssets } from '../../accounts/known-asset.ts';

/** A limit of a key by asset id; null for none. */
export type AssetLimits = Readonly<Record<string, number>> | null;

/** Turns limits in numbers of each asset that the account may learn of, by its id in any case, into scaled units. @param field that states them */
export async function scaledLimits(
  env: Env,
  facts: AccountFacts,
  field: string,
  limits: AssetLimits,
): Promise<Result<AssetLimits, ApiError>> {
  if (limits === null) return ok(null);
  const known = await knownAssets(env, facts, await findAssets(database(env.DB), Object.keys(limits).map(ownId)));
  const scaled: Record<string, number> = {};
  for (const [name, limit] of Object.entries(limits)) {
    const assetId = ownId(name);
    if (Object.hasOwn(scaled, assetId))
      return err(apiError('VALIDATION_ERROR', 'an asset has one limit, and is named twice', { field, assetId }));
    const scale = known.get(assetId)?.scale;
    if (scale === undefined) return err(apiError('ASSET_NOT_FOUND', 'no such asset', { field, assetId }));
    const result = toScaled(limit, scale);
    if (!result.ok)
      return err(apiError('VALIDATION_ERROR', 'the limit does not fit the asset', { field, assetId, ...result.error }));
    if (result.value > AMOUNT_MAX) {
      const max = fromScaled(AMOUNT_MAX, scale);
      return err(apiError('VALIDATION_ERROR', 'the limit is too large', { field, assetId, max }));
    }
    scaled[assetId] = result.value;
  }
  return ok(scaled);
}

/** Turns limits of several keys back into numbers, in one read. */
export async function unscaledLimits(db: Database, limits: readonly AssetLimits[]): Promise<AssetLimits[]> {
  const scales = await findAssetScales(db, [...new Set(limits.flatMap((of) => Object.keys(of ?? {})))]);
  return limits.map((of) => {
    if (of === null) return null;
    return Object.fromEntries(
      Object.entries(of).map(([assetId, limit]) => [assetId, fromScaled(limit, scales.get(assetId) ?? 0)]),
    );
  });
}
