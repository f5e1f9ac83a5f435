import type { SoldLot } from './resale-rule.ts';

/** Regulations whose lots have a hold period from the sale on. */
const HOLDING: ReadonlySet<string> = new Set(['reg_d_506c', 'reg_d_506b', 'reg_cf', 'reg_s']);

/** Whether lots that are sold under the regulation have a hold period of their own. */
export function hasHoldPeriod(regulation: string | null): boolean {
  return regulation !== null && HOLDING.has(regulation);
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
