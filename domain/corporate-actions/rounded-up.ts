import type { SplitRatio } from '../ledger/split-units.ts';

/** What rounding gives at most of all that comes of a split or merger: one in so many. */
const ROUNDED_ONE_IN = 1_000n;

/** What holders have before a ratio, and what rounding each of them up to a whole unit adds. */
export interface RoundedUp {
  /** Of all holders. */
  readonly units: number;
  /** In `from`ths of a unit. */
  readonly parts: number;
}

/** Whether rounding adds more than a whole unit in all, and more than a thousandth of what comes of the units. Whoever has many accounts has a part of a unit in each. */
export function roundsTooMuch({ units, parts }: RoundedUp, { from, to }: Pick<SplitRatio, 'from' | 'to'>): boolean {
  return parts > from && BigInt(parts) * ROUNDED_ONE_IN > BigInt(units) * BigInt(to);
}
