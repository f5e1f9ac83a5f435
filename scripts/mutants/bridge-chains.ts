import type { Mutant } from './mutant.ts';

const CHAINS = 'domain/bridge/chains';
const cosmos = ['test/node/bridge/chains-accounts/cosmos.test.ts'];
const utxo = ['test/node/bridge/chains-utxo/utxo-chains.test.ts'];

/** Rules of the bridge's chains of outputs and of multisignatures. */
export const BRIDGE_CHAIN_MUTANTS: readonly Mutant[] = [
  {
    rule: 'an amount of somebody else hides no deposit',
    file: `${CHAINS}/bitcoin/esplora.ts`,
    from: '(Number.isSafeInteger(value) ? value : null)',
    to: 'z.int().parse(value)',
    tests: ['test/node/bridge/chains-utxo/utxo-chains.test.ts'],
  },
  {
    rule: 'an amount that has lost digits is no deposit',
    file: `${CHAINS}/bitcoin/utxo-coins.ts`,
    from: ' && value !== null',
    to: '',
    tests: ['test/node/bridge/chains-utxo/utxo-chains.test.ts'],
  },
  {
    rule: 'a multisignature leaves with three signatures of three signers',
    file: `${CHAINS}/accounts/three-signatures.ts`,
    from: ' || signers.size !== CLUSTER_THRESHOLD',
    to: '',
    tests: cosmos,
  },
  {
    rule: 'a multisignature leaves with right signatures alone',
    file: `${CHAINS}/accounts/three-signatures.ts`,
    from: "if (!isEcdsaRight(keys[signer] ?? '', digest, own))",
    to: 'if (false)',
    tests: cosmos,
  },
  {
    rule: 'an address of outputs is followed to its first transaction',
    file: `${CHAINS}/bitcoin/esplora.ts`,
    from: 'last === undefined || mined.length < PAGE_TRANSACTIONS',
    to: 'true',
    tests: utxo,
  },
  {
    rule: 'specks hide no deposit of outputs',
    file: `${CHAINS}/bitcoin/utxo-adapter.ts`,
    from: '.toSorted((one, other) => Number(other.amount) - Number(one.amount))',
    to: '',
    tests: utxo,
  },
  {
    rule: 'specks hide no output of a vault',
    file: `${CHAINS}/bitcoin/esplora.ts`,
    from: 'unspent.toSorted((one, other) => other.value - one.value)',
    to: 'unspent',
    tests: utxo,
  },
  {
    rule: 'a refund that its fee would eat takes no outputs',
    file: `${CHAINS}/bitcoin/utxo-adapter.ts`,
    from: 'if (isRefund && (inputs > 1 || BigInt(amount) < fee + dust)) return false;',
    to: '',
    tests: utxo,
  },
  {
    rule: 'a deposit on the Cosmos Hub names its commitment',
    file: `${CHAINS}/cosmos/cosmos.ts`,
    from: ' || tx.body?.memo !== commitment',
    to: ' || tx.body === undefined',
    tests: cosmos,
  },
  {
    rule: 'what failed on the Cosmos Hub is no deposit',
    file: `${CHAINS}/cosmos/cosmos.ts`,
    from: 'if (hasFailed || tx.body',
    to: 'if (tx.body',
    tests: cosmos,
  },
  {
    rule: 'a deposit on the Cosmos Hub is of the coin of the vault',
    file: `${CHAINS}/cosmos/cosmos.ts`,
    from: 'coins.filter((coin) => coin.denom === denom)',
    to: 'coins',
    tests: cosmos,
  },
  {
    rule: 'what the vault pays to itself is no deposit',
    file: `${CHAINS}/cosmos/cosmos.ts`,
    from: ' || payer === home',
    to: '',
    tests: cosmos,
  },
  {
    rule: 'a payment of the Cosmos Hub is recognized by its signatures',
    file: `${CHAINS}/cosmos/cosmos.ts`,
    from: 'return signatures.length >= CLUSTER_THRESHOLD && isEachRight;',
    to: 'return signatures.length >= CLUSTER_THRESHOLD;',
    tests: cosmos,
  },
  {
    rule: 'fees of the Cosmos Hub have a most',
    file: `${CHAINS}/cosmos/cosmos-payment.ts`,
    from: 'wholeUnits(quoted, FEE_MAX)',
    to: 'wholeUnits(quoted, AMOUNT_MAX)',
    tests: cosmos,
  },
  {
    rule: 'signatures of Bitcoin Cash count on no other chain',
    file: `${CHAINS}/bitcoin/utxo-payment.ts`,
    from: 'SigHash.ALL | (hasForkId ? FORK_ID : 0)',
    to: 'SigHash.ALL',
    tests: utxo,
  },
  {
    rule: 'an address of Bitcoin Cash has its checksum',
    file: `${CHAINS}/bitcoin/cash-address.ts`,
    from: ' || polymod([...digitsOf(prefix), 0, ...digits]) !== 0n',
    to: '',
    tests: utxo,
  },
];
