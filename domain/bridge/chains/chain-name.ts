/** The exchange's own chain, where bridged assets stand as wrapped tokens. */
export const EXCHANGE_CHAIN = 'exchange';

/** Chains that the bridge knows, as BRIDGE_TENANT_CONFIG names them. Bitcoin stands here once for each form of its addresses. */
export const CHAIN_NAMES = [
  EXCHANGE_CHAIN,
  'bitcoin-legacy',
  'bitcoin-segwit',
  'bitcoin-taproot',
  'ethereum',
  'arbitrum',
  'optimism',
  'base',
  'polygon',
  'bsc',
  'gnosis',
  'linea',
  'celo',
  'avalanche',
  'solana',
  'cosmos',
  'polkadot',
  'ton',
  'xrpl',
  'litecoin',
  'dogecoin',
  'bitcoin-cash',
  'tron',
  'stellar',
  'algorand',
  'near',
  'sui',
  'tezos',
  'aptos',
  'cardano',
] as const;
export type ChainName = (typeof CHAIN_NAMES)[number];

/** Chains with outputs: who pays is not said there, and coins are all that they move. */
export const CHAINS_OF_OUTPUTS: readonly ChainName[] = [
  'bitcoin-legacy',
  'bitcoin-segwit',
  'bitcoin-taproot',
  'litecoin',
  'dogecoin',
  'bitcoin-cash',
];
