import type { Mutant } from './mutant.ts';

const LOTS = 'test/adversary/transfer-agent/lots-of-a-register.test.ts';
const ROOM = 'test/adversary/trader/room-of-others.test.ts';
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
    rule: 'an order that rests comes to something',
    file: 'domain/order-entry/terms-failure.ts',
    from: 'price * quantity < RESTING_NOTIONAL_MIN * wholes',
    to: 'false',
    tests: ['domain/order-entry/terms-failure.test.ts'],
  },
  {
    rule: 'a stop without a limit is judged by its trigger',
    file: 'domain/order-entry/terms-failure.ts',
    from: 'const at = price ?? stopPrice;',
    to: 'const at = price;',
    tests: ['domain/order-entry/terms-failure.test.ts'],
  },
  {
    rule: 'an order is amended to no less than what rests comes to',
    file: 'domain/order-entry/amended-terms.ts',
    from: 'if (isBelowLeastNotional(market, price, quantity))',
    to: 'if (false)',
    tests: ['domain/order-entry/amended-terms.test.ts'],
  },
  {
    rule: 'an account below its guaranteed number of open orders places, whatever others have',
    file: 'domain/ledger/quotas.ts',
    from: 'limits.reservationsGuaranteedPerAccount',
    to: '0',
    tests: [ROOM],
  },
  {
    rule: 'orders of those with many leave what is kept for those with few',
    file: 'domain/ledger/quotas.ts',
    from: 'freeReservations - limits.reservationsForGuaranteed',
    to: 'freeReservations',
    tests: [ROOM],
  },
  {
    rule: 'an account is sure of some sums that wait to settle',
    file: 'domain/ledger/quotas.ts',
    from: 'quotaOf(freeSums, UNSETTLED_GUARANTEED_PER_ACCOUNT, freeSums',
    to: 'quotaOf(freeSums, 0, freeSums',
    tests: ['domain/ledger/unsettled.test.ts'],
  },
  {
    rule: 'an account is sure of some balances',
    file: 'domain/ledger/quota-of.ts',
    from: 'balancesMax - count - balancesForGuaranteed',
    to: 'balancesMax',
    tests: ['domain/ledger/quotas.test.ts'],
  },
  {
    rule: 'an account is sure of some API keys under daily limits',
    file: 'domain/ledger/daily-limits.ts',
    from: 'limitedKeys.count < limitedKeysMax - limitedKeysForGuaranteed',
    to: 'true',
    tests: ['domain/ledger/quotas.test.ts'],
  },
  {
    rule: 'a register brings one account no more lots than it may have',
    file: 'domain/ledger/quotas.ts',
    from: 'lots.countOf(holder)) + count > ofAccount',
    to: 'lots.countOf(holder)) + count < 0',
    tests: [LOTS],
  },
  {
    rule: 'a register brings its security no more lots than that may have',
    file: 'domain/ledger/quotas.ts',
    from: 'lots.countOfAsset(asset) + total > ofSecurity',
    to: 'false',
    tests: [LOTS],
  },
  {
    rule: 'rows of one account with one date, restriction and offering are one lot',
    file: 'domain/ledger/register-entries.ts',
    from: 'if (lots.length <= 1) return lots;',
    to: 'return lots;',
    tests: ['domain/ledger/register-entries.test.ts'],
  },
  {
    rule: 'the place of a lot is found along the lanes',
    file: 'domain/ledger/lots.ts',
    from: 'const LANES = 5;',
    to: 'const LANES = 0;',
    tests: [LOTS],
  },
  {
    rule: 'a lot that goes leaves its lanes',
    file: 'domain/ledger/lots.ts',
    from: 'if (lanes === 0 || holding.lanes === null) return;',
    to: 'return;',
    tests: [LOTS, 'domain/ledger/lots.test.ts'],
  },
  {
    rule: 'an entry of a register that failed is refused for good',
    file: 'durable-objects/ledger/group-commit.ts',
    from: "if (transaction.kind === 'register_entry')",
    to: 'if (false)',
    tests: ['test/runtime/adversary/transfer-agent/entry-that-fails.test.ts'],
  },
];
