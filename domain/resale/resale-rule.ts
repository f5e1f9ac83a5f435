import { requiresOf } from '../accreditation/requires-of.ts';
import type { AccreditationType, AssetCategory, Regulation } from '../assets/asset.ts';
import { ATTRIBUTE } from '../orders/eligibility.ts';
import { type Offering, offeringOf } from './offering.ts';

/** A lot, or the part of one, that a sale would take. */
export interface SoldLot {
  /** Scaled units. */
  readonly quantity: number;
  /** Unix milliseconds; null for a lot that was never restricted. */
  readonly restrictionEndsAt: number | null;
  /** `506c`, `506b`, `reg_cf`, `reg_s`, `reg_a`, `retail`, `lockup`; anything else falls back on the asset's regulation. */
  readonly offeringType: string | null;
}

export interface ResaleInput {
  /** The asset's regulation. */
  readonly regulation: Regulation | null;
  /** The asset's own rule for buyers. */
  readonly accreditationType: AccreditationType | null;
  readonly category: AssetCategory | null;
  readonly sellerUsPerson: boolean;
  /** The sale goes to a broker: who buys there is nobody that an exemption could name. */
  readonly isRouted: boolean;
  /** The lots that the order reserves, oldest first. */
  readonly lots: readonly SoldLot[];
  /** Unix milliseconds. */
  readonly now: number;
}

export type ResaleOutcome =
  | {
      readonly allowed: true;
      /** Some lot is within its hold: the order is `isRestrictedOrder`. */
      readonly restricted: boolean;
      /**
       * What a buyer must be (domain/orders/eligibility). The asset's own rule is part of it, so it replaces what the order asked of
       * its counterparty before, never widens it.
       */
      readonly requires: number;
      /** The latest end among the restricted lots, which the buyer inherits; null when none is restricted. */
      readonly restrictionEndsAt: number | null;
    }
  /** `restrictionEndsAt`: when the last of the lots that no exemption covers becomes free. */
  | { readonly allowed: false; readonly restrictionEndsAt: number };

const ACCREDITED = ATTRIBUTE.verified_accredited | ATTRIBUTE.self_certified_accredited;

/**
 * Whether lots may be sold now, and to whom (X-AEP-35 to X-AEP-38, X-AEP-42 to X-AEP-45). A lot within its hold is sold only under its
 * offering's exemption; an order over several lots must satisfy the exemption of each, so the alternatives are intersected, and an order
 * for which no kind of buyer remains is refused.
 */
export function resaleRule(input: ResaleInput): ResaleOutcome {
  const assetRequires = requiresOf(input);
  let requires = assetRequires;
  let restrictedUntil: number | null = null;
  let refusedUntil: number | null = null;
  for (const lot of input.lots) {
    const offering = offeringOf(lot.offeringType, input.regulation);
    if (lot.quantity === 0 || lot.restrictionEndsAt === null || lot.restrictionEndsAt <= input.now) continue;
    if (offering === 'reg_a' || offering === 'retail') continue;
    const buyers = input.isRouted ? 0 : exemptBuyers(offering, input.sellerUsPerson);
    const remaining = requires === 0 ? buyers : requires & buyers;
    if (remaining === 0) {
      refusedUntil = Math.max(refusedUntil ?? 0, lot.restrictionEndsAt);
      continue;
    }
    requires = remaining;
    restrictedUntil = Math.max(restrictedUntil ?? 0, lot.restrictionEndsAt);
  }
  if (refusedUntil !== null) return { allowed: false, restrictionEndsAt: refusedUntil };
  return { allowed: true, restricted: restrictedUntil !== null, requires, restrictionEndsAt: restrictedUntil };
}

/** Kinds of buyer to whom a lot may go within its hold; 0 for none. */
function exemptBuyers(offering: Offering | null, sellerUsPerson: boolean): number {
  switch (offering) {
    case 'reg_d_506c':
    case 'reg_d_506b':
      return ACCREDITED;
    case 'reg_cf':
      return ACCREDITED | ATTRIBUTE.family;
    case 'reg_s':
      return sellerUsPerson ? 0 : ATTRIBUTE.non_us;
    case 'reg_a':
    case 'retail':
    case 'lockup':
    case null:
      return 0;
  }
}
