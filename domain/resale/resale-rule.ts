import { requiresOf } from '../accreditation/requires-of.ts';
import type { AccreditationType, AssetCategory, Regulation } from '../assets/asset.ts';
import { lockupOf, offeringOf } from './offering.ts';
import { buyersOf, EXEMPTIONS, type ExemptionName, exemptionsOf, type HoldName, holdOf } from './restriction-rules.ts';

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

/** A sale that goes to a broker meets buyers that nobody knows, so that no exemption holds for it. */
export type ResaleRefusalRule = HoldName | 'broker_buyer_unknown';

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
      /** What the sale relies on, as far as a buyer that it may meet still qualifies by it. */
      readonly exemptions: readonly ExemptionName[];
    }
  | {
      readonly allowed: false;
      /** When the last of the lots that no exemption covers becomes free. */
      readonly restrictionEndsAt: number;
      /** The rules that hold those lots back, in their order of lots. */
      readonly rules: readonly ResaleRefusalRule[];
    };

/** Of most sales. */
const NO_EXEMPTIONS: readonly ExemptionName[] = [];

/**
 * Whether lots may be sold now, to whom and by which rule (X-AEP-35 to X-AEP-38, X-AEP-42 to X-AEP-45). A lot within its hold is sold only under
 * an exemption of its hold period; an order over several lots must satisfy each lot's, so the alternatives are intersected, and an order
 * for which no kind of buyer remains is refused.
 */
export function resaleRule(input: ResaleInput): ResaleOutcome {
  let requires = requiresOf(input);
  let restrictedUntil: number | null = null;
  let refusedUntil: number | null = null;
  let reliedOn = NO_EXEMPTIONS;
  const refusing = new Set<ResaleRefusalRule>();
  for (const lot of input.lots) {
    if (lot.quantity === 0 || lot.restrictionEndsAt === null || lot.restrictionEndsAt <= input.now) continue;
    const lockup = lockupOf(lot.offeringType);
    if (lockup !== null && input.now < lockup.until) {
      refusedUntil = Math.max(refusedUntil ?? 0, lockup.until);
      refusing.add('issuer_lockup');
      continue;
    }
    const hold = holdOf(offeringOf(lockup?.offering ?? lot.offeringType, input.regulation));
    if (hold === null) continue;
    const exemptions = input.isRouted ? NO_EXEMPTIONS : exemptionsOf(hold, input.sellerUsPerson);
    const buyers = buyersOf(exemptions);
    const remaining = requires === 0 ? buyers : requires & buyers;
    if (remaining === 0) {
      refusedUntil = Math.max(refusedUntil ?? 0, lot.restrictionEndsAt);
      refusing.add(hold);
      if (input.isRouted) refusing.add('broker_buyer_unknown');
      continue;
    }
    requires = remaining;
    restrictedUntil = Math.max(restrictedUntil ?? 0, lot.restrictionEndsAt);
    reliedOn = [...new Set([...reliedOn, ...exemptions])];
  }
  if (refusedUntil !== null) return { allowed: false, restrictionEndsAt: refusedUntil, rules: [...refusing] };
  return {
    allowed: true,
    restricted: restrictedUntil !== null,
    requires,
    restrictionEndsAt: restrictedUntil,
    exemptions: reliedOn.filter((name) => (EXEMPTIONS[name].buyers & requires) !== 0),
  };
}
