import { instrumentOf } from '../../application/order-entry/checks/instrument-cache.ts';
import type { Instrument } from '../../data/catalog/instruments.ts';
import { maySee } from '../../domain/accreditation/may-see.ts';
import { isListed } from '../../domain/assets/is-listed.ts';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';
import { type AppContext, optionalPrincipalOf } from '../middleware/app-env.ts';
import { notCurrent } from '../responses/not-current.ts';

export type VisibleAsset =
  | { readonly ok: true; readonly instrument: Instrument }
  | { readonly ok: false; readonly error: ApiError };

/** The asset with its market, as far as the caller may see it. */
export async function visibleAsset(c: AppContext, assetId: string): Promise<VisibleAsset> {
  const instrument = await instrumentOf(c.env, { assetId });
  if (instrument === 'unavailable') return { ok: false, error: notCurrent() };
  const hidden =
    instrument === null ||
    !isListed(instrument.asset) ||
    !maySee(instrument.asset, optionalPrincipalOf(c)?.facts ?? null);
  if (hidden) return { ok: false, error: apiError('ASSET_NOT_FOUND', 'asset does not exist', { assetId }) };
  if (!maySee(instrument.asset, null)) c.set('isUnshared', true);
  return { ok: true, instrument };
}
