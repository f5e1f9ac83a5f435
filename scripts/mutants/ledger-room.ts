import type { Mutant } from './mutant.ts';

const EXTREMES = 'test/adversary/transfer-agent/extreme-amounts.test.ts';

/** What nobody may do to the ledger whom it serves: bounds of amounts, room and work. */
export const LEDGER_ROOM_MUTANTS: readonly Mutant[] = [
  {
    rule: 'a cost that is added to stays within its bound',
    file: 'domain/ledger/balances.ts',
    from: 'return Math.min(COST_MAX, Math.max(0, cost));',
    to: 'return Math.max(0, cost);',
    tests: [EXTREMES],
  },
  {
    rule: 'a register states no cost beyond that of a holding',
    file: 'domain/ledger/register-entries.ts',
    from: 'costAfter(state, asset, leg) > COST_MAX',
    to: 'false',
    tests: [EXTREMES],
  },
  {
    rule: 'terms that people state come to no more than amounts are exact in',
    file: 'domain/money/arithmetic.ts',
    from: 'return quotient > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(quotient);',
    to: 'return checkedBigInt(quotient);',
    tests: ['test/adversary/trader/amended-sell-under-limits.test.ts'],
  },
  {
    rule: 'vaults and deposits together bring no more than amounts are exact in',
    file: 'domain/ledger/bridge-movements.ts',
    from: 'balances.heldByAccounts(asset)].some',
    to: '0].some',
    tests: ['domain/ledger/bridge-movements.test.ts'],
  },
  {
    rule: 'a correction gives nobody more than amounts are exact in',
    file: 'domain/ledger/trade-adjustments.ts',
    from: 'if (!staysExact(state, legs, unsettled))',
    to: 'if (false)',
    tests: [EXTREMES],
  },
  {
    rule: 'an entry of a register that failed is refused for good',
    file: 'durable-objects/ledger/group-commit.ts',
    from: "if (transaction.kind === 'register_entry')",
    to: 'if (false)',
    tests: ['test/runtime/adversary/transfer-agent/entry-that-fails.test.ts'],
  },
];
