import type { KnownFault } from './run-liar.ts';

/** After so many cases each shows. */
const after = (cases: number, chains: readonly string[]) => Object.fromEntries(chains.map((chain) => [chain, cases]));

/** What stands in the product, and the harness finds: whoever mends one takes it out. */
export const KNOWN_FAULTS: readonly KnownFault[] = [
  {
    finding: 'B-05',
    fault: 'gives along',
    chains: after(24, ['solana', 'cardano']),
    words: 'a payout of a token gives coins of the vault along: a token account, or what an output keeps',
  },
];
