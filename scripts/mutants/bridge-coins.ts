import type { Mutant } from './mutant.ts';

const UTXO = 'domain/bridge/chains/bitcoin/utxo-adapter.ts';
const COINS = 'domain/bridge/chains/bitcoin/utxo-coins.ts';
const CARDANO_COINS = 'domain/bridge/chains/cardano/cardano-coins.ts';
const CARDANO = 'domain/bridge/chains/cardano/cardano.ts';
const utxoTests = ['test/node/bridge/chains-utxo/utxo-chains.test.ts'];
const cardanoTests = ['test/node/bridge/chains-utxo/cardano.test.ts'];

/** Rules of the coins that payments spend: Bitcoin and its relatives, Cardano. */
export const BRIDGE_COINS_MUTANTS: readonly Mutant[] = [
  {
    rule: 'a payment of outputs is void where another one has spent any of its coins',
    file: UTXO,
    from: 'await Promise.all(inputs.map(({ txid, vout }) => node.outspend(txid, vout)))',
    to: 'await Promise.all(inputs.slice(0, 1).map(({ txid, vout }) => node.outspend(txid, vout)))',
    tests: utxoTests,
  },
  {
    rule: 'of several payments that have spent its coins the deepest makes a payment void',
    file: UTXO,
    from: 'other.confirmations - one.confirmations);\n  const { txid, vin',
    to: 'one.confirmations - other.confirmations);\n  const { txid, vin',
    tests: utxoTests,
  },
  {
    rule: 'a payment of Cardano is void where another one has spent any of its coins',
    file: CARDANO,
    from: 'new Set(spent.flatMap(',
    to: 'new Set(spent.slice(0, 1).flatMap(',
    tests: cardanoTests,
  },
  {
    rule: 'of several payments that have spent its coins the deepest makes a payment of Cardano void',
    file: CARDANO,
    from: 'found.toSorted((one, other) => other.confirmations - one.confirmations)',
    to: 'found.toSorted((one, other) => one.confirmations - other.confirmations)',
    tests: cardanoTests,
  },
  {
    rule: 'a payment of Cardano has no status by a node that does not know all of its coins',
    file: CARDANO,
    from: "  if (!areKnown) throw new Error('not every output of the reference is known');\n",
    to: '',
    tests: cardanoTests,
  },
  {
    rule: 'what was given up is not cancelled where another payment waits for its block with a coin of it',
    file: 'durable-objects/transfer/transfer-payments.ts',
    from: "state === 'unspent' && (await",
    to: '(await',
    tests: ['test/runtime/durable-objects/transfer/transfer-payments.test.ts'],
  },
  {
    rule: 'a deposit of outputs that was seen is found behind whatever strangers pay in',
    file: UTXO,
    from: 'const references = known.slice(0, KNOWN_MAX);',
    to: 'const references = known.slice(0, 0);',
    tests: utxoTests,
  },
  {
    rule: 'what somebody names as a deposit of outputs pays the transfer, or is none of it',
    file: COINS,
    from: 'scriptpubkey === script && (place',
    to: '(place',
    tests: utxoTests,
  },
  {
    rule: 'a coin of outputs that is remembered is spent once',
    file: COINS,
    from: 'spends[n]?.spent === false',
    to: 'spends[n] !== undefined',
    tests: utxoTests,
  },
  {
    rule: 'change that is remembered is looked up where strangers hide it',
    file: COINS,
    from: 'slice(0, LOOKED_UP_MAX)',
    to: 'slice(0, 0)',
    tests: utxoTests,
  },
  {
    rule: 'coins of outputs are deep before they are spent, as far as there are enough',
    file: COINS,
    from: 'for (const before of [[], shallow]) {',
    to: 'for (const before of [shallow]) {',
    tests: utxoTests,
  },
  {
    rule: 'a payout of a coin that is not deep says what that was paid from',
    file: UTXO,
    from: 'isRefund || isFirstShallow ? await',
    to: 'isRefund ? await',
    tests: utxoTests,
  },
  {
    rule: 'a deposit of Cardano that was seen is found behind whatever strangers have paid in before',
    file: CARDANO,
    from: 'known.slice(0, KNOWN_MAX)',
    to: 'known.slice(0, 0)',
    tests: cardanoTests,
  },
  {
    rule: 'a coin of Cardano that is remembered is the vault’s, and spent once',
    file: CARDANO_COINS,
    from: ' && !output.collateral && output.consumed_by_tx === null',
    to: '',
    tests: cardanoTests,
  },
  {
    rule: 'a signer looks up funds that it has seen as it gives its word',
    file: 'domain/bridge/signing/signer-host.ts',
    from: 'await eyes.funds(terms, undefined, referencesOf(seen))',
    to: 'await eyes.funds(terms)',
    tests: ['domain/bridge/signing/signer-host.test.ts'],
  },
  {
    rule: 'a signer looks up funds that it has seen as it signs',
    file: 'domain/bridge/signing/check-job.ts',
    from: '[...referencesOf(record.seen), ...stated]',
    to: '[...stated]',
    tests: ['domain/bridge/signing/signer-host.test.ts'],
  },
  {
    rule: 'a signer looks up the deposit that a refund spends',
    file: 'domain/bridge/signing/check-job.ts',
    from: '[...referencesOf(record.seen), ...stated]',
    to: '[...referencesOf(record.seen)]',
    tests: ['domain/bridge/signing/signer-host.test.ts'],
  },
  {
    rule: 'a deposit is offered to payments once three signers have written down that it is paid out',
    file: 'durable-objects/transfer/transfer-payments.ts',
    from: 'if (noted >= CLUSTER_THRESHOLD)',
    to: 'if (noted >= 0)',
    tests: ['test/runtime/durable-objects/transfer/transfer-payments.test.ts'],
  },
  {
    rule: 'what another payment has spent leaves the coins that it has not spent known',
    file: 'durable-objects/transfer/transfer-payments.ts',
    from: 'transaction !== undefined && transaction === cancelling ? transaction : undefined',
    to: 'transaction',
    tests: ['test/runtime/durable-objects/transfer/transfer-payments.test.ts'],
  },
  {
    rule: 'a watcher forgets coins that a payment has spent',
    file: 'durable-objects/chain-watcher/chain-watcher.ts',
    from: '      this.#sql.exec(forget, outpoint, transaction);\n',
    to: '',
    tests: ['test/runtime/durable-objects/chain-watcher/known-coins.test.ts'],
  },
  {
    rule: 'signers that were away are told of a payout for longer than a day',
    file: 'domain/bridge/next-look.ts',
    from: 'isUntold && waited < TOLD_MS_MAX ? now + REST_UNTOLD_MS : null',
    to: 'null',
    tests: ['domain/bridge/next-look.test.ts'],
  },
  {
    rule: 'an earlier payment that the node cannot look at is void by what has become of its reference',
    file: 'domain/bridge/signing/check-job.ts',
    from: '{ eyes, record }).catch(() => false)) continue',
    to: '{ eyes, record })) continue',
    tests: ['domain/bridge/signing/check-job.test.ts'],
  },
  {
    rule: 'a payout of coins that no node knows is given up after a day',
    file: 'durable-objects/transfer/transfer-payments.ts',
    from: '      await unsigned();\n      throw error;',
    to: '      throw error;',
    tests: ['test/runtime/durable-objects/transfer/transfer-payments.test.ts'],
  },
  {
    rule: 'what is to be cancelled of coins that no node knows is unspent',
    file: 'durable-objects/transfer/transfer-payments.ts',
    from: "      if (isToCancel && payment.kind === 'payout' && spendsOutputs(vault)) return { state: 'unspent' };\n",
    to: '',
    tests: ['test/runtime/durable-objects/transfer/transfer-payments.test.ts'],
  },
  {
    rule: 'a deposit that is spent does not come back among the coins',
    file: 'durable-objects/chain-watcher/chain-watcher.ts',
    from: "    if (isKnown) return;\n    this.#sql.exec('INSERT INTO",
    to: "    this.#sql.exec('INSERT OR IGNORE INTO",
    tests: ['test/runtime/durable-objects/chain-watcher/known-coins.test.ts'],
  },
];
