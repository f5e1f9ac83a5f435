import type { Mutant } from './mutant.ts';

const EYES = 'durable-objects/bridge-chains/worker-eyes.ts';
const DEBITS = 'data/bridge/ledger-movements.ts';
const TENANTS = 'data/bridge/tenants.ts';
const tests = ['test/runtime/durable-objects/bridge-chains/worker-eyes.test.ts'];

/** What a signer in an object sees. */
export const BRIDGE_EYE_MUTANTS: readonly Mutant[] = [
  {
    rule: 'a signer builds a payment of its side',
    file: EYES,
    from: 'chains.build(await vaultAt(terms, side), payment)',
    to: "chains.build(await vaultAt(terms, 'source'), payment)",
    tests,
  },
  {
    rule: 'a signer looks at a payment on its side',
    file: EYES,
    from: 'chains.statusOf(await vaultAt(terms, side), payment)',
    to: "chains.statusOf(await vaultAt(terms, 'source'), payment)",
    tests,
  },
  {
    rule: 'a signer asks the guard in the lane of the terms',
    file: EYES,
    from: 'laneOf(externalChain(terms), terms.asset)',
    to: "laneOf(externalChain(terms), '')",
    tests,
  },
  {
    rule: 'a signer needs the hardware module from its amount on',
    file: EYES,
    from: 'terms.amount >= from',
    to: 'terms.amount > from',
    tests,
  },
  {
    rule: 'a signer answers by its stake for burns of the wrapped token alone',
    file: EYES,
    from: 'const wrapped = isBurn ?',
    to: 'const wrapped = terms.amount > 0 ?',
    tests,
  },
  {
    rule: 'a vault is of its origin',
    file: TENANTS,
    from: '    eq(bridgeVaults.origin, origin),\n',
    to: '',
    tests,
  },
  {
    rule: 'a vault is of its organization',
    file: TENANTS,
    from: 'const isIt = and(\n    eq(bridgeVaults.organization, organization),',
    to: 'const isIt = and(',
    tests,
  },
  {
    rule: 'a vault is of its asset',
    file: TENANTS,
    from: '    eq(bridgeVaults.asset, asset),\n',
    to: '',
    tests,
  },
  {
    rule: 'a vault is on its chain',
    file: TENANTS,
    from: '    eq(bridgeVaults.chain, chain),\n',
    to: '',
    tests,
  },
  {
    rule: 'a debit is a movement of the bridge',
    file: DEBITS,
    from: "        eq(ledgerTransactions.kind, 'bridge'),\n",
    to: '',
    tests,
  },
  {
    rule: 'a debit is of the account of the terms',
    file: DEBITS,
    from: '        eq(ledgerTransactions.account, account),\n',
    to: '',
    tests,
  },
  {
    rule: 'a debit is of the asset of the terms',
    file: DEBITS,
    from: '        eq(ledgerTransactions.asset, asset),\n',
    to: '',
    tests,
  },
  {
    rule: 'a debit is by the vault of the terms',
    file: DEBITS,
    from: '        eq(ledgerTransactions.boundary, bridgeBoundary(vault)),\n',
    to: '',
    tests,
  },
  {
    rule: 'what came to an account is no debit',
    file: 'durable-objects/bridge-chains/ledger-sight.ts',
    from: ' || debit >= 0',
    to: '',
    tests,
  },
];
