import type { AccreditationType, Regulation } from './asset.ts';
import type { ListedCategory } from './rail-of.ts';

export type OfferingFailure =
  /** Rule 506(b) and 506(c) each come with their accreditation rule, and with no other. */
  | { readonly reason: 'accreditation_does_not_fit'; readonly required: AccreditationType }
  /** A pre-IPO buyer is accredited, `506c` or `506b` per asset (X-AEP-34). */
  | { readonly reason: 'accreditation_missing' }
  /** Only private securities are sold under an accreditation rule. */
  | { readonly reason: 'accreditation_not_allowed' };

/** Why an asset may not be listed with this category, regulation and accreditation type, or null. */
export function offeringFailure(asset: {
  readonly category: ListedCategory;
  readonly accreditationType: AccreditationType | null;
  readonly regulation: Regulation | null;
}): OfferingFailure | null {
  const { category, accreditationType, regulation } = asset;
  const isPrivate = category === 'privates' || category === 'pre-ipo';
  if (!isPrivate && accreditationType !== null) return { reason: 'accreditation_not_allowed' };
  if (category === 'pre-ipo' && accreditationType === null) return { reason: 'accreditation_missing' };
  const required = regulation === 'reg_d_506c' ? '506c' : regulation === 'reg_d_506b' ? '506b' : null;
  if (required !== null && accreditationType !== required) return { reason: 'accreditation_does_not_fit', required };
  return null;
}
