import type { Mutant } from './mutant.ts';

/** What programs of others say of payments that our chains in memory let through. */
export const BRIDGE_MACHINE_MUTANTS: readonly Mutant[] = [
  {
    rule: 'a deposit of Solana is known by the memo program that wallets use',
    file: 'domain/bridge/chains/solana/solana-programs.ts',
    from: "'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'",
    to: "'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXwDLGmfcHr'",
    tests: ['test/node/bridge/machines/solana.test.ts'],
  },
  {
    rule: 'a payout of SOL is no less than a new wallet has to keep',
    file: 'domain/bridge/chains/payout-costs.ts',
    from: 'least: 890_880n',
    to: 'least: 890_879n',
    tests: ['test/node/bridge/machines/solana.test.ts'],
  },
  {
    rule: 'a payout of XRP is no less than the reserve of an account',
    file: 'domain/bridge/chains/payout-costs.ts',
    from: 'least: 1_000_000n },\n  // Some',
    to: 'least: 0n },\n  // Some',
    tests: ['domain/bridge/chains/payout-costs.test.ts'],
  },
  {
    rule: 'a payment of Solana buys the work that it takes to open a token account',
    file: 'domain/bridge/chains/solana/solana-message.ts',
    from: 'COMPUTE_UNITS = 80_000',
    to: 'COMPUTE_UNITS = 8_000',
    tests: ['test/node/bridge/machines/solana.test.ts'],
  },
  {
    rule: 'a payment of TON that the wallet cannot make uses its number',
    file: 'domain/bridge/chains/ton/ton-wallet.ts',
    from: 'SEND_MODE = 3;',
    to: 'SEND_MODE = 1;',
    tests: ['test/node/bridge/machines/ton.test.ts'],
  },
  {
    rule: 'an input of P2SH is counted with its signatures and its script',
    file: 'domain/bridge/chains/bitcoin/utxo-payment.ts',
    from: 'p2sh: 440 }',
    to: 'p2sh: 400 }',
    tests: ['test/node/bridge/machines/bitcoin.test.ts'],
  },
];
