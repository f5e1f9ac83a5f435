/**
 * What an order's owner is, and what the order asks of its counterparty, as bitsets (docs/design/matching.md#eligibility). A
 * counterparty qualifies when `requires` is 0 or shares at least one bit with the counterparty's `attributes`: exemptions are
 * alternatives.
 */
export const ATTRIBUTE = {
  /** Accredited, verified by a third party: Reg D 506(c), 17 CFR 230.506(c). */
  verified_accredited: 1,
  /** Accredited, self-certified: Reg D 506(b), 17 CFR 230.506(b). A verified investor carries this bit too. */
  self_certified_accredited: 2,
  /** Not a US person: Reg S, 17 CFR 230.902(k). */
  non_us: 4,
  /** Family of the seller, 17 CFR 227.501(c). No account has it by itself: two accounts are family to each other. */
  family: 8,
} as const;

/** One side of a match, as its order carries it. */
export interface Party {
  readonly account: string;
  readonly attributes: number;
  readonly requires: number;
  /** Accounts of the owner's family, where that may matter; null or left out for none. */
  readonly family?: readonly string[] | null;
}

export function qualifies(requires: number, attributes: number): boolean {
  return requires === 0 || (requires & attributes) !== 0;
}

/** Whether two orders may trade with each other. Each side's family says it for both. */
export function mayTrade(a: Party, b: Party): boolean {
  const related = areFamily(a, b) ? ATTRIBUTE.family : 0;
  return qualifies(a.requires, b.attributes | related) && qualifies(b.requires, a.attributes | related);
}

function areFamily(a: Party, b: Party): boolean {
  return a.family?.includes(b.account) === true || b.family?.includes(a.account) === true;
}
