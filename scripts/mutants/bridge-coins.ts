import type { Mutant } from './mutant.ts';

const UTXO = 'domain/bridge/chains/bitcoin/utxo-adapter.ts';
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
];
