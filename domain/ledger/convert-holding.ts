import { convertedTerms, type LotTerms } from '../resale/converted-terms.ts';
import type { LedgerState } from './ledger-state.ts';
import { splitLots } from './split-units.ts';
import type { Conversion } from './transactions.ts';

/**
 * The lots of a holding become lots of another asset, with their ids, days of acquisition, costs and the offerings that govern them: each its units, as of a split. Nothing of them
 * is left in the holding, whose balance stays to be taken down.
 *
 * @param holding its balance, and its lots, oldest first, of which nothing is reserved
 * @returns units that the account got
 */
export function convertHolding(
  { balances, lots }: LedgerState,
  { balance, lots: held }: { readonly balance: number; readonly lots: readonly number[] },
  into: Conversion,
): number {
  const account = balances.accountId(balance);
  const units = splitLots(
    held.map((lot) => lots.quantity(lot)),
    into,
  );
  const total = units.reduce((sum, each) => sum + each, 0);
  const ended = held.map((lot) => ({ lot: lots.record(lot, account, into.asset), origin: lots.origin(lot) }));
  for (const lot of held) lots.setQuantity(lot, 0);
  lots.removeSpent(held);
  if (total === 0) return 0;

  const target = balances.open(account, into.asset);
  balances.addAvailable(target, total);
  balances.addCost(target, balances.cost(balance));
  // What a lot of which nothing is left has cost goes to the oldest of those that are left.
  let spent = ended.reduce((sum, { lot }, at) => (units[at] === 0 ? sum + lot.cost : sum), 0);
  for (const [at, { lot: before, origin }] of ended.entries()) {
    const { reserved: _, asset: __, ...lot } = before;
    const quantity = units[at] as number;
    if (quantity === 0) continue;
    lots.insert(target, { ...lot, quantity, cost: lot.cost + spent, ...termsOf(lot, into) }, origin);
    spent = 0;
  }
  return total;
}

function termsOf(lot: LotTerms, { restrictionEndsAt, regulation }: Conversion): LotTerms {
  if (regulation !== undefined) return convertedTerms(lot, { regulation, restrictionEndsAt });
  return { restrictionEndsAt: laterOf(lot.restrictionEndsAt, restrictionEndsAt), offeringType: lot.offeringType };
}

function laterOf(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.max(one, other);
}
