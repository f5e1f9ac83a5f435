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
  /** Family member of the seller as 17 CFR 227.501(c) has it, set for a negotiated transfer only. */
  family: 8,
} as const;

export function qualifies(requires: number, attributes: number): boolean {
  return requires === 0 || (requires & attributes) !== 0;
}
