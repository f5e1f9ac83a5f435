import type { Database } from '../../../data/database.ts';
import { findAssetScales } from '../../../data/identity/asset-scales.ts';
import { AMOUNT_MAX } from '../../../domain/ledger/balances.ts';
import { fromScaled, toScaled } from '../../../domain/money/scaled.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import { type ApiError, apiError } from '../../../protocol/errors/api-error.ts';

/** A limit of a key by asset id; null for none. */
export type AssetLimits = Readonly<Record<string, number>> | null;

/** Turns limits in numbers of each asset into scaled units. */
export async function scaledLimits(db: Database, limits: AssetLimits): Promise<Result<AssetLimits, ApiError>> {
  if (limits === null) return ok(null);
  const scales = await findAssetScales(db, Object.keys(limits));
  const scaled: Record<string, number> = {};
  for (const [assetId, limit] of Object.entries(limits)) {
    const scale = scales.get(assetId);
    if (scale === undefined) return err(apiError('ASSET_NOT_FOUND', 'no such asset', { assetId }));
    const result = toScaled(limit, scale);
    if (!result.ok)
      return err(apiError('VALIDATION_ERROR', 'the limit does not fit the asset', { assetId, ...result.error }));
    if (result.value > AMOUNT_MAX) {
      const max = fromScaled(AMOUNT_MAX, scale);
      return err(apiError('VALIDATION_ERROR', 'the limit is too large', { assetId, max }));
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
