import type { ReservationRow } from './outcomes.ts';

/**
 * What differs between the reservations that the ledger keeps for a book and what the book's live orders hold by its own state, order by order.
 * Both must be taken while nothing is under way between the two.
 */
export function compareHolds(inLedger: readonly ReservationRow[], inBook: readonly ReservationRow[]): string[] {
  const differences: string[] = [];
  const held = new Map(inBook.map((row) => [row.id, row]));
  for (const reserved of inLedger) {
    const live = held.get(reserved.id);
    held.delete(reserved.id);
    if (live === undefined)
      differences.push(`${nameOf(reserved)} holds ${amountsOf(reserved)}, and its book has it not`);
    else if (live.account !== reserved.account || amountsOf(live) !== amountsOf(reserved))
      differences.push(
        `${nameOf(reserved)} of ${reserved.account} holds ${amountsOf(reserved)}, by its book ${amountsOf(live)} of ${live.account}`,
      );
  }
  for (const live of held.values())
    differences.push(`${nameOf(live)} holds ${amountsOf(live)} by its book, and nothing in the ledger`);
  return differences;
}

function nameOf({ kind, id }: ReservationRow): string {
  return `${kind} ${id}`;
}

/** Reserve, allowance, position. */
function amountsOf({ reserve, allowance, position }: ReservationRow): string {
  return `${reserve}/${allowance}/${position}`;
}
