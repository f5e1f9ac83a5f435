import { attributesOf, type InvestorFacts } from '../accreditation/attributes-of.ts';
import { type AccreditationTerms, requiresOf } from '../accreditation/requires-of.ts';
import { qualifies } from '../orders/eligibility.ts';
import type { Side } from '../orders/order.ts';

export interface AccreditationFailure {
  readonly reason: 'accreditation_required';
  readonly accreditationType: string | null;
}

/** Why the buyer does not meet the asset's accreditation rule (X-AEP-26), or null; a seller needs none. */
export function accreditationFailure(
  side: Side,
  asset: AccreditationTerms,
  facts: InvestorFacts,
): AccreditationFailure | null {
  if (side === 'sell' || qualifies(requiresOf(asset), attributesOf(facts))) return null;
  return { reason: 'accreditation_required', accreditationType: asset.accreditationType };
}
