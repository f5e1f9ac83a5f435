import type { Regulation } from '../assets/asset.ts';
import type { SoldLot } from './resale-rule.ts';
import { holdOf } from './restriction-rules.ts';

/** Whether lots that are sold under the regulation have a hold period of their own. */
export function hasHoldPeriod(regulation: Regulation | null): boolean {
  return regulation !== null && holdOf(regulation) !== null;
}

/** The lots that a sale of `quantity` takes, oldest first, the last one in part and none of those behind it. */
export function soldLots(lots: readonly SoldLot[], quantity: number): SoldLot[] {
  let left = quantity;
  return lots.map((lot) => {
    const taken = Math.min(left, lot.quantity);
    left -= taken;
    return { ...lot, quantity: taken };
  });
}
