import type { AssetRow } from '../../../data/catalog/assets.ts';
import { attributesOf } from '../../../domain/accreditation/attributes-of.ts';
import { requiresOf } from '../../../domain/accreditation/requires-of.ts';
import type { AccountFacts } from '../../../domain/identity/principal.ts';
import { qualifies } from '../../../domain/orders/eligibility.ts';
import type { Side } from '../../../domain/orders/order.ts';
import type { OrderEntryFailure } from '../order-entry-failure.ts';

/** Accreditation of the buyer against the asset's rule (X-AEP-26); a seller needs none. */
export function accreditationFailure(side: Side, asset: AssetRow, facts: AccountFacts): OrderEntryFailure | null {
  if (side === 'sell' || qualifies(requiresOf(asset), attributesOf(facts))) return null;
  return { reason: 'accreditation_required', accreditationType: asset.accreditationType };
}
