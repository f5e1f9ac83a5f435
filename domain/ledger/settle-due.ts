import { BOUNDARY_ACCOUNT } from './boundary-accounts.ts';
import type { LedgerState } from './ledger-state.ts';
import type { SettlementOutcome } from './outcomes.ts';
import type { Settlement } from './transactions.ts';

/** Sums that settle in one transaction: their answer must fit into one row of the journal. */
const SETTLED_PER_PART_MAX = 500;

/** Settles the first part of what is due. What has settled is due no more, so a repetition goes on with the next part and repeats nothing. */
export function applySettlement({ unsettled, balances }: LedgerState, { through }: Settlement): SettlementOutcome {
  const settled = unsettled.due(through, SETTLED_PER_PART_MAX);
  if (settled.length === 0) return { type: 'nothing_due' };
  for (const sum of settled) {
    unsettled.remove(sum);
    if (sum.kind === 'shares') continue;
    balances.addAvailable(balances.open(BOUNDARY_ACCOUNT.brokerClearing, sum.asset), -sum.amount);
    balances.addAvailable(balances.open(sum.account, sum.asset), sum.amount);
  }
  return { type: 'done', settled };
}
