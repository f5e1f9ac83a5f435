import { ATTRIBUTE } from '../orders/eligibility.ts';
import type { Offering } from './offering.ts';

const ACCREDITED = ATTRIBUTE.verified_accredited | ATTRIBUTE.self_certified_accredited;

/** A way to sell a lot within its hold period. */
interface Exemption {
  readonly source: string;
  /** Kinds of buyer to whom it may go (domain/orders/eligibility). */
  readonly buyers: number;
  /** Whether a US person may sell by it. */
  readonly usSeller: boolean;
  /** What else it is bound to. */
  readonly condition: string;
}

/** Each way to sell within a hold period, under a name of its own. */
export const EXEMPTIONS = {
  reg_d_accredited_buyer: {
    source: '15 U.S.C. 77d(a)(7), 17 CFR 230.502(d)',
    buyers: ACCREDITED,
    usSeller: true,
    condition: 'an unsolicited sale to an accredited investor, who takes the lot with its restriction',
  },
  reg_cf_accredited_buyer: {
    source: '17 CFR 227.501(a)(2)',
    buyers: ACCREDITED,
    usSeller: true,
    condition: 'a sale to an accredited investor',
  },
  reg_cf_family: {
    source: '17 CFR 227.501(a)(4), 17 CFR 227.501(c)',
    buyers: ATTRIBUTE.family,
    usSeller: true,
    condition: 'a sale to a member of the family that an operator has recorded',
  },
  reg_s_offshore_resale: {
    source: '17 CFR 230.904, 17 CFR 230.901(a)',
    buyers: ATTRIBUTE.non_us,
    usSeller: false,
    condition: 'a sale between persons outside the United States, to a buyer who is no US person',
  },
} as const satisfies Record<string, Exemption>;

export type ExemptionName = keyof typeof EXEMPTIONS;

/** Why a lot is not free at once. */
interface HoldPeriod {
  readonly source: string;
  /** Months from the acquisition from the issuer; null where the lot itself says when it ends. */
  readonly months: number | null;
  readonly exemptions: readonly ExemptionName[];
  readonly condition: string;
}

const HOLD_MONTHS = 12;

/** Each hold period, under a name of its own. It ends at the lot's own end, whoever holds the lot by then. */
export const HOLD_PERIODS = {
  reg_d_hold: {
    source: '17 CFR 230.144(d)(1)(ii)',
    months: HOLD_MONTHS,
    exemptions: ['reg_d_accredited_buyer'],
    condition: 'a year from the acquisition from the issuer, which tacks from holder to holder',
  },
  reg_cf_hold: {
    source: '17 CFR 227.501(a)',
    months: HOLD_MONTHS,
    exemptions: ['reg_cf_accredited_buyer', 'reg_cf_family'],
    condition: 'a year from the issue',
  },
  reg_s_distribution_compliance: {
    source: '17 CFR 230.903(b)(3)',
    months: HOLD_MONTHS,
    exemptions: ['reg_s_offshore_resale'],
    condition: 'a year in which the lot must not come to a US person',
  },
  issuer_lockup: {
    source: 'the lockup terms of the issuer',
    months: null,
    exemptions: [],
    condition: "the issuer's own terms, which no exemption of the securities laws lifts",
  },
  unknown_offering: {
    source: '17 CFR 230.144(a)(3)',
    months: null,
    exemptions: [],
    condition: 'a lot with an end whose offering nobody has stated',
  },
} as const satisfies Record<string, HoldPeriod>;

export type HoldName = keyof typeof HOLD_PERIODS;

/**
 * The hold period of what was sold under an offering; null where there is none: securities of Regulation A and registered ones are no
 * restricted securities (17 CFR 230.144(a)(3)), whatever end a lot of theirs names.
 */
export function holdOf(offering: Offering | null): HoldName | null {
  switch (offering) {
    case 'reg_d_506c':
    case 'reg_d_506b':
      return 'reg_d_hold';
    case 'reg_cf':
      return 'reg_cf_hold';
    case 'reg_s':
      return 'reg_s_distribution_compliance';
    case 'lockup':
      return 'issuer_lockup';
    case 'reg_a':
    case 'retail':
      return null;
    case null:
      return 'unknown_offering';
  }
}

/** Exemptions that a seller may rely on for a lot within its hold. */
export function exemptionsOf(hold: HoldName, sellerUsPerson: boolean): readonly ExemptionName[] {
  const { exemptions }: HoldPeriod = HOLD_PERIODS[hold];
  return sellerUsPerson ? exemptions.filter((name) => EXEMPTIONS[name].usSeller) : exemptions;
}

/** Exemptions of a hold period that a buyer of these attributes meets. */
export function exemptionsMet(hold: HoldName, attributes: number): readonly ExemptionName[] {
  return HOLD_PERIODS[hold].exemptions.filter((name) => (EXEMPTIONS[name].buyers & attributes) !== 0);
}

/** Kinds of buyer to whom any of the exemptions lets a lot go; 0 for none. */
export function buyersOf(exemptions: readonly ExemptionName[]): number {
  return exemptions.reduce((buyers, name) => buyers | EXEMPTIONS[name].buyers, 0);
}
