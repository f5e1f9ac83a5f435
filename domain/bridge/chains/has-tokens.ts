import { CHAINS_OF_OUTPUTS, type ChainName } from './chain-name.ts';

/** Chains whose adapters move the chain's own coin alone. */
const OF_COIN_ALONE: readonly ChainName[] = [...CHAINS_OF_OUTPUTS, 'near', 'polkadot', 'ton', 'tezos', 'aptos', 'sui'];

export function hasTokens(chain: ChainName): boolean {
  return !OF_COIN_ALONE.includes(chain);
}
