import type { KnownFault } from './run-liar.ts';

/** After so many cases each shows. */
const after = (cases: number, chains: readonly string[]) => Object.fromEntries(chains.map((chain) => [chain, cases]));

/** What stands in the product, and the harness finds: whoever mends one takes it out. */
export const KNOWN_FAULTS: readonly KnownFault[] = [
  {
    finding: 'B-04',
    fault: 'settles two',
    chains: after(11, ['near', 'polkadot', 'aptos', 'tezos']),
    words:
      'with two lying signers one reference is signed for two transfers of one amount to one payee, each by another honest signer; transactions there name no transfer, so one is told as the payment of both',
  },
  {
    finding: 'B-05',
    fault: 'gives along',
    chains: after(24, ['solana', 'cardano']),
    words: 'a payout of a token gives coins of the vault along: a token account, or what an output keeps',
  },
];
