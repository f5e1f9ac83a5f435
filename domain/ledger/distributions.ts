import { AMOUNT_MAX, isBoundary } from './balances.ts';
import { BOUNDARY_ACCOUNT } from './boundary-accounts.ts';
import type { LedgerState } from './ledger-state.ts';
import type { DistributionFault, DistributionOutcome, SkippedLeg } from './outcomes.ts';
import { hasRegister } from './register-entries.ts';
import type { Distribution, DistributionLeg } from './transactions.ts';

/** So that a distribution and its outcome fit into one row of the journal. */
export const DISTRIBUTION_LEGS_MAX = 500;

const { distributions: POOL } = BOUNDARY_ACCOUNT;

/**
 * Moves cash between accounts and the pool of distributions, leg by leg: one that cannot be done is left out and named. So one account that takes or has
 * nothing keeps back nobody else, and what was done and left out is decided once, under the id.
 */
export function applyDistribution(state: LedgerState, distribution: Distribution): DistributionOutcome {
  const { balances, ruleSet } = state;
  const { asset, legs } = distribution;
  const detail = faultOf(state, distribution);
  if (detail !== null) return { type: 'malformed', detail };
  const skipped: SkippedLeg[] = [];
  for (const leg of legs) {
    const { account, change } = leg;
    const reason = obstacleOf(state, asset, leg);
    if (reason !== null) {
      skipped.push({ account, reason });
      continue;
    }
    const pool = balances.open(POOL, asset);
    const balance = balances.open(account, asset);
    if (change < 0) balances.addCost(balance, -balances.costOf(balance, -change, ruleSet));
    balances.addAvailable(balance, change);
    balances.addAvailable(pool, -change);
  }
  return { type: 'done', skipped };
}

function faultOf(state: LedgerState, { asset, legs }: Distribution): DistributionFault | null {
  if (legs.length === 0 || legs.length > DISTRIBUTION_LEGS_MAX) return 'too_many_legs';
  if (legs.some(({ change }) => change === 0 || !Number.isSafeInteger(change) || Math.abs(change) > AMOUNT_MAX))
    return 'not_whole';
  if (new Set(legs.map(({ account }) => account)).size < legs.length) return 'repeated_account';
  if (legs.some(({ account }) => isBoundary(account))) return 'foreign_boundary';
  return hasRegister(state, asset) ? 'no_cash' : null;
}

function obstacleOf(
  state: LedgerState,
  asset: string,
  { account, change }: DistributionLeg,
): SkippedLeg['reason'] | null {
  const { balances, limits } = state;
  const found = balances.find(account, asset);
  if (change < 0) {
    const free = (found < 0 ? 0 : balances.available(found)) - state.unsettled.sumOf(account, asset, 'shares');
    return free + change < 0 ? 'insufficient_balance' : null;
  }
  if (balances.availableOf(POOL, asset) < change) return 'insufficient_pool';
  if (found < 0)
    return balances.count >= limits.balancesMax || state.hasNoRoomFor(account, asset) ? 'ledger_full' : null;
  return balances.available(found) + balances.held(found) + change > AMOUNT_MAX ? 'balance_too_large' : null;
}
