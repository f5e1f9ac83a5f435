import type { Mutant } from './mutant.ts';

const account = ['test/adversary/operator/references-of-one-account.test.ts'];

/** A payment is of one account, one transfer and one network. */
export const BRIDGE_REFERENCE_MUTANTS: readonly Mutant[] = [
  {
    rule: 'tokens of one account share their references',
    file: 'domain/bridge/chains/chain-calls.ts',
    from: 'countedBy(await adapterOf(vault), vault)].join',
    to: 'countedBy(await adapterOf(vault), vault), vault.token].join',
    tests: account,
  },
  {
    rule: 'references of two networks do not meet',
    file: 'domain/bridge/chains/chain-calls.ts',
    from: '[vault.chain, vault.network, countedBy',
    to: '[vault.chain, countedBy',
    tests: account,
  },
  {
    rule: 'a rotation leaves the references of the old five keys behind',
    file: 'domain/bridge/chains/cosmos/cosmos.ts',
    from: 'countsBy: cosmosHome',
    to: 'countsBy: ({ keys }) => keys.groupKey',
    tests: account,
  },
  {
    rule: 'a token of Cardano has an address of its own',
    file: 'domain/bridge/chains/cardano/cardano.ts',
    from: 'countsBy: (vault) => cardanoAddress(vault, null)',
    to: 'countsBy: ({ keys }) => keys.groupKey',
    tests: account,
  },
  {
    rule: 'a transfer has its reference from the object of the account',
    file: 'durable-objects/transfer/ports-of.ts',
    from: 'await chains.referencesOf(vault)',
    to: 'vault.chain',
    tests: account,
  },
];
