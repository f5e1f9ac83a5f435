import { CHAINS_OF_OUTPUTS } from '../../../../domain/bridge/chains/chain-name.ts';
import type { KnownFault } from './run-liar.ts';

/** What stands in the product, and the harness finds. Each is found by it, or the test of its chain fails: whoever mends one takes it out. */
export const KNOWN_FAULTS: readonly KnownFault[] = [
  {
    finding: 'B-01',
    fault: 'burns',
    chains: CHAINS_OF_OUTPUTS.filter((chain) => chain !== 'bitcoin-taproot'),
    words: 'signers do not check the value of an input',
  },
  {
    finding: 'B-02',
    fault: 'pays for nobody',
    chains: [
      ...CHAINS_OF_OUTPUTS,
      'xrpl',
      'stellar',
      'cosmos',
      'solana',
      'algorand',
      'ton',
      'near',
      'polkadot',
      'aptos',
      'sui',
      'tezos',
    ],
    words: 'cancellations have no bound, and may be for transfers that do not exist',
  },
  {
    finding: 'B-03',
    fault: 'is not paid',
    chains: ['xrpl', 'stellar', 'cosmos', 'solana'],
    words: 'two assets of one organization on one account choose the same reference',
  },
  { finding: 'B-04', fault: 'settles two', chains: CHAINS_OF_OUTPUTS, words: 'one transaction settles two transfers' },
  {
    finding: 'B-05',
    fault: 'gives along',
    chains: ['solana'],
    words: 'each payout of a token to a new wallet opens its token account at the cost of the vault',
  },
  {
    finding: 'B-05',
    fault: 'costs more',
    chains: [
      ...CHAINS_OF_OUTPUTS,
      'xrpl',
      'stellar',
      'cosmos',
      'solana',
      'algorand',
      'ton',
      'near',
      'polkadot',
      'aptos',
      'sui',
      'tezos',
    ],
    words: 'no least amount and no flat fee',
  },
];
