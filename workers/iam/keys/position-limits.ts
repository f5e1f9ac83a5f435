import type { Database } from '../../../data/database.ts';
import { findAssetScales } from '../../../data/identity/asset-scales.ts';
import { AMOUNT_MAX } from '../../../domain/ledger/balances.ts';
import { fromScaled, toScaled } from '../../../domain/money/scaled.ts';
import { type ApiError, apiError } from '../../../protocol/errors/api-error.ts';

type Limits = Readonly<Record<string, number>> | null;

export type ScaledLimits =
  | { readonly ok: true; readonly limits: Limits }
  | { readonly ok: false; readonly error: ApiError };

/** Turns limits in numbers of each asset into scaled units. */
export async function scaledPositionLimits(db: Database, limits: Limits): Promise<ScaledLimits> {
  if (limits === null) return { ok: true, limits: null };
  const scales = await findAssetScales(db, Object.keys(limits));
  const scaled: Record<string, number> = {};
  for (const [assetId, limit] of Object.entries(limits)) {
    const scale = scales.get(assetId);
    if (scale === undefined) return { ok: false, error: apiError('ASSET_NOT_FOUND', 'no such asset', { assetId }) };
    const result = toScaled(limit, scale);
    if (!result.ok)
      return {
        ok: false,
        error: apiError('VALIDATION_ERROR', 'the limit does not fit the asset', { assetId, ...result.error }),
      };
    if (result.value > AMOUNT_MAX) {
      const error = apiError('VALIDATION_ERROR', 'the limit is too large', {
        assetId,
        max: fromScaled(AMOUNT_MAX, scale),
      });
      return { ok: false, error };
    }
    scaled[assetId] = result.value;
  }
  return { ok: true, limits: scaled };
}

/** Turns limits of several keys back into numbers, in one read. */
export async function positionLimitsOnWire(db: Database, limits: readonly Limits[]): Promise<Limits[]> {
  const scales = await findAssetScales(db, [...new Set(limits.flatMap((of) => Object.keys(of ?? {})))]);
  return limits.map((of) => {
    if (of === null) return null;
    return Object.fromEntries(
      Object.entries(of).map(([assetId, limit]) => [assetId, fromScaled(limit, scales.get(assetId) ?? 0)]),
    );
  });
}
