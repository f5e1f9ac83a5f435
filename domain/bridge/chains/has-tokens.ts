import type { ChainName } from './chain-name.ts';

/** Chains whose adapters move the chain's own coin alone. */
const OF_COIN_ALONE: ReadonlySet<ChainName> = new Set([
  'bitcoin-legacy',
  'bitcoin-segwit',
  'bitcoin-taproot',
  'litecoin',
  'dogecoin',
  'bitcoin-cash',
  'near',
  'polkadot',
  'ton',
  'tezos',
  'aptos',
  'sui',
] as const satisfies readonly ChainName[]);

export function hasTokens(chain: ChainName): boolean {
  return !OF_COIN_ALONE.has(chain);
}
