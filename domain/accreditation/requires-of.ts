import type { AccreditationType, AssetCategory } from '../assets/asset.ts';
import { ATTRIBUTE } from '../orders/eligibility.ts';

const ACCREDITED = ATTRIBUTE.verified_accredited | ATTRIBUTE.self_certified_accredited;

/** The columns of an asset that the accreditation rule reads. */
export interface AccreditationTerms {
  readonly accreditationType: AccreditationType | null;
  /** Null where the category asks for nothing. */
  readonly category: AssetCategory | null;
}

/**
 * What a buyer of the asset must be, as a bitset of alternatives (X-AEP-31 to X-AEP-34): `506c` asks for third-party verification,
 * `506b` for self-certification or better, a pre-IPO asset for accreditation of either kind, any other for nothing.
 */
export function requiresOf(asset: AccreditationTerms): number {
  if (asset.accreditationType === '506c') return ATTRIBUTE.verified_accredited;
  if (asset.accreditationType === '506b' || asset.category === 'pre-ipo') return ACCREDITED;
  return 0;
}
