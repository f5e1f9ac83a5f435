import type { Instrument } from '../../data/instruments.ts';
import { attributesOf } from '../../domain/accreditation/attributes-of.ts';
import { ATTRIBUTE } from '../../domain/orders/eligibility.ts';
import { type ApiError, apiError } from '../middleware/api-error.ts';
import { type AppContext, optionalPrincipalOf } from '../middleware/app-env.ts';
import { instrumentOf } from '../order-entry/instrument-cache.ts';

/**
 * Whether the caller may see assets under 506(b): there is no general solicitation for them (17 CFR 230.502(c)), so only investors
 * who are self-certified or better do (DESIGN 15).
 */
export function seesUnsolicited(c: AppContext): boolean {
  const facts = optionalPrincipalOf(c)?.facts ?? null;
  return facts !== null && (attributesOf(facts) & ATTRIBUTE.self_certified_accredited) !== 0;
}

export type VisibleAsset =
  | { readonly ok: true; readonly instrument: Instrument }
  | { readonly ok: false; readonly error: ApiError };

/** The asset with its market, as far as the caller may see it. */
export async function visibleAsset(c: AppContext, assetId: string): Promise<VisibleAsset> {
  const instrument = await instrumentOf(c.env, { assetId });
  const hidden =
    instrument === null ||
    instrument.asset.rail === null ||
    instrument.asset.status === 'PENDING' ||
    (instrument.asset.accreditationType === '506b' && !seesUnsolicited(c));
  if (hidden) return { ok: false, error: apiError('ASSET_NOT_FOUND', 'asset does not exist', { assetId }) };
  return { ok: true, instrument };
}
