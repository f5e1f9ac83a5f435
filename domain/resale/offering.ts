import type { Regulation } from '../assets/asset.ts';

/**
 * Under which rules a security was sold. `lockup` is an issuer's own restriction after a listing (X-STL-04): no exemption of the
 * securities laws lifts it.
 */
export type Offering = Regulation | 'lockup';

const OFFERINGS: ReadonlyMap<string, Offering> = new Map<string, Offering>([
  ['506c', 'reg_d_506c'],
  ['506b', 'reg_d_506b'],
  ['reg_d_506c', 'reg_d_506c'],
  ['reg_d_506b', 'reg_d_506b'],
  ['reg_cf', 'reg_cf'],
  ['reg_s', 'reg_s'],
  ['reg_a', 'reg_a'],
  ['retail', 'retail'],
  ['lockup', 'lockup'],
]);

/** The offering that governs a lot: its own, or the asset's where the lot names none that is known. */
export function offeringOf(lotOfferingType: string | null, assetRegulation: Regulation | null): Offering | null {
  return OFFERINGS.get(lotOfferingType ?? '') ?? OFFERINGS.get(assetRegulation ?? '') ?? null;
}
