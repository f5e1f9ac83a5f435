import { CHAINS_OF_OUTPUTS, type ChainName } from '../chain-name.ts';

/** Chains whose payments carry a tag or a memo, by which the provider tells them apart. */
const OF_TAGS: readonly ChainName[] = ['xrpl', 'stellar', 'algorand', 'cosmos'];

/** Whether a provider makes an address, or a tag, for each transfer within one vault account. */
export function hasDepositAddresses(chain: ChainName): boolean {
  return CHAINS_OF_OUTPUTS.includes(chain) || OF_TAGS.includes(chain);
}

/** Whether the chain says who pays. */
export function tellsPayer(chain: ChainName): boolean {
  return !CHAINS_OF_OUTPUTS.includes(chain);
}
