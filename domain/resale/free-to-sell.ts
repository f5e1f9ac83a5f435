import {
  type ResaleInput,
  type ResaleOutcome,
  type ResaleRefusalRule,
  resaleRule,
  type SoldLot,
} from './resale-rule.ts';

/** How much of an account's lots may be sold now, oldest first as a sale takes them. Scaled units. */
export interface FreeToSell {
  /** The largest sale that the resale rules let through. */
  readonly free: number;
  readonly restricted: number;
  /** Why more is held back; none where all is free. */
  readonly rules: readonly ResaleRefusalRule[];
  /** When the last restriction that holds something back ends, Unix milliseconds; null where nothing is held back. */
  readonly restrictionEndsAt: number | null;
  /** When restrictions of lots end, the first ones first, and how much is in these lots. */
  readonly next: readonly { readonly at: number; readonly quantity: number }[];
}

/** Ends of restrictions that are named. @internal */
export const NEXT_MAX = 20;

/**
 * By the rule that decides orders: an order over several lots must satisfy each lot's, so a larger sale is never let through where a smaller one is
 * not, and the largest is found by halving.
 */
export function freeToSell(input: ResaleInput): FreeToSell {
  const { lots, now } = input;
  const outcomeOf = (count: number): ResaleOutcome => resaleRule({ ...input, lots: lots.slice(0, count) });
  let [allowed, refused] = [0, lots.length + 1];
  while (refused - allowed > 1) {
    const middle = Math.floor((allowed + refused) / 2);
    if (outcomeOf(middle).allowed) allowed = middle;
    else refused = middle;
  }
  const free = sum(lots.slice(0, allowed));
  const whole = outcomeOf(lots.length);
  return {
    free,
    restricted: sum(lots) - free,
    rules: whole.allowed ? [] : whole.rules,
    restrictionEndsAt: whole.allowed ? null : whole.restrictionEndsAt,
    next: endsOf(lots, now),
  };
}

function endsOf(lots: readonly SoldLot[], now: number): FreeToSell['next'] {
  const byEnd = new Map<number, number>();
  for (const { restrictionEndsAt: at, quantity } of lots)
    if (at !== null && at > now) byEnd.set(at, (byEnd.get(at) ?? 0) + quantity);
  const ends = [...byEnd].sort(([one], [other]) => one - other).slice(0, NEXT_MAX);
  return ends.map(([at, quantity]) => ({ at, quantity }));
}

function sum(lots: readonly SoldLot[]): number {
  return lots.reduce((all, { quantity }) => all + quantity, 0);
}
