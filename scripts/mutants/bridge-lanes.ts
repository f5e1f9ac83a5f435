import type { Mutant } from './mutant.ts';

const TERMS = 'domain/bridge/lane-terms.ts';
const QUOTE = 'domain/bridge/quote.ts';
const READ = 'domain/bridge/chains/read-place.ts';
const STATED_TESTS = ['test/adversary/operator/stated-vaults.test.ts'];
const FINAL_TESTS = ['test/adversary/operator/blocks-that-are-not-final.test.ts'];
const TURN_TESTS = ['domain/bridge/lane-turns.test.ts'];
const tests = ['domain/bridge/lane-terms.test.ts', 'domain/bridge/quote.test.ts'];

/** Rules of what a lane takes, where vaults are, and when funds count. */
export const BRIDGE_LANE_MUTANTS: readonly Mutant[] = [
  {
    rule: 'a lane refuses less than its least amount',
    file: QUOTE,
    from: 'if (amount < leastAmount)',
    to: 'if (false)',
    tests,
  },
  {
    rule: 'a quote has the flat fee',
    file: QUOTE,
    from: 'mulDivCeil(amount, feeBps, BPS) + flatFee',
    to: 'mulDivCeil(amount, feeBps, BPS)',
    tests,
  },
  {
    rule: 'a payout pays for what its chain asks',
    file: TERMS,
    from: 'const all = flatFee + inAsset(payout.cost);',
    to: 'const all = flatFee;',
    tests,
  },
  {
    rule: 'a token of a mainnet waits for the price of the coin',
    file: TERMS,
    from: 'if (paysOut && vault.custody === undefined)',
    to: 'if (false)',
    tests,
  },
  {
    rule: 'what a chain asks is rounded up',
    file: TERMS,
    from: '(a + b - 1n) / b',
    to: 'a / b',
    tests,
  },
  {
    rule: 'what passes one that waits leaves room for it',
    file: 'domain/bridge/lane-turns.ts',
    from: 'earlier.overtaken + amount <= limit - earlier.amount',
    to: 'true',
    tests: TURN_TESTS,
  },
  {
    rule: 'one of more than room is held for holds up nobody',
    file: 'domain/bridge/lane-turns.ts',
    from: 'earlier.amount > held || ',
    to: '',
    tests: TURN_TESTS,
  },
  {
    rule: 'who waits keeps its turn',
    file: 'domain/bridge/lane-turns.ts',
    from: 'waiting.slice(0, own)',
    to: '[]',
    tests: TURN_TESTS,
  },
  {
    rule: 'a block that is not final has too few confirmations',
    file: 'domain/bridge/chains/evm/evm-depth.ts',
    from: 'blockNumber <= final ? depth',
    to: 'true ? depth',
    tests: FINAL_TESTS,
  },
  {
    rule: 'a final block has its confirmations, too',
    file: 'domain/bridge/chains/evm/evm-depth.ts',
    from: '? depth : Math.min',
    to: '? confirmations : Math.min',
    tests: FINAL_TESTS,
  },
  {
    rule: 'a vault of a coin has the decimals of the coin',
    file: 'domain/bridge/places/vault-fault.ts',
    from: 'decimals !== coinDecimals(chain)',
    to: 'false',
    tests: ['domain/bridge/places/vault-fault.test.ts'],
  },
  {
    rule: 'a vault of a token has the decimals that it says',
    file: READ,
    from: 'told !== null && told !== decimals',
    to: 'false',
    tests: STATED_TESTS,
  },
  {
    rule: 'a vault has keys of its chain’s scheme',
    file: READ,
    from: 'keys.scheme !== adapter.scheme',
    to: 'false',
    tests: STATED_TESTS,
  },
  {
    rule: 'what no chain tells is told apart',
    file: READ,
    from: 'isTold: told !== null || token === null',
    to: 'isTold: true',
    tests: STATED_TESTS,
  },
  {
    rule: 'a key of a cluster is a point, and not everybody’s',
    file: 'domain/bridge/chains/cluster-keys-fault.ts',
    from: '!point.isSmallOrder() && point.isTorsionFree()',
    to: 'true',
    tests: STATED_TESTS,
  },
  {
    rule: 'a contract of a vault is one of the bridge',
    file: 'domain/bridge/chains/evm/evm-place.ts',
    from: 'if (generation === 0n)',
    to: 'if (false)',
    tests: STATED_TESTS,
  },
  {
    rule: 'a node is of the stated network',
    file: 'domain/bridge/chains/evm/evm-place.ts',
    from: 'chainId !== evmChainId(chain, network)',
    to: 'false',
    tests: STATED_TESTS,
  },
  {
    rule: 'chains of a machine’s own are for the local environment',
    file: 'domain/bridge/places/network-fault.ts',
    from: "environment !== 'local'",
    to: 'false',
    tests: STATED_TESTS,
  },
  {
    rule: 'a payout costs no more than the relayer would pay for its gas',
    file: 'domain/bridge/chains/evm/payout-gas.ts',
    from: 'const isBeyond = asked > GAS_PRICE_MAX;',
    to: 'const isBeyond = false as boolean;',
    tests: ['domain/bridge/chains/evm/payout-gas.test.ts'],
  },
  {
    rule: 'one that asks again for its turn is counted once',
    file: 'durable-objects/chain-watcher/lane-turns.ts',
    from: "this.#sql.exec('INSERT INTO passed VALUES (?, ?)', commitment, now);",
    to: '',
    tests: ['test/runtime/adversary/bridge-tenant/overtaken-transfers.test.ts'],
  },
  {
    rule: 'the deposit of a transfer is spent once the payment with its memo is made, and no other',
    file: 'domain/bridge/signing/check-job.ts',
    from: '    payment.memo === destination.memo &&',
    to: '',
    tests: ['domain/bridge/signing/check-job.test.ts'],
  },
  {
    rule: 'what is to be cancelled is shown to the guard again where it is not listed',
    file: 'durable-objects/transfer/transfer-payments.ts',
    from: 'await this.#announced(ports, order).catch(',
    to: 'if (this.#store.begun.announced.length === 0) await this.#announced(ports, order).catch(',
    tests: ['test/runtime/durable-objects/transfer/transfer-payments.test.ts'],
  },
];
