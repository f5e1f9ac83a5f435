import type { ChainAdapter } from './chain-adapter.ts';
import type { ChainName } from './chain-name.ts';

/** Adapters by chain, each with its libraries when its chain is first used. */
const EVM = [
  'ethereum',
  'arbitrum',
  'optimism',
  'base',
  'polygon',
  'bsc',
  'avalanche',
  'gnosis',
  'linea',
  'celo',
] as const;
const UTXO = ['bitcoin-taproot', 'bitcoin-segwit', 'bitcoin-legacy', 'litecoin', 'dogecoin', 'bitcoin-cash'] as const;

const LOADERS: Readonly<Partial<Record<ChainName, () => Promise<ChainAdapter>>>> = {
  exchange: async () => (await import('./evm/evm-adapter.ts')).evmWrapped('exchange'),
  ...loadersOf(EVM, async (chain) => (await import('./evm/evm-adapter.ts')).evmVault(chain)),
  ...loadersOf(UTXO, async (chain) => (await import('./bitcoin/utxo-adapter.ts')).utxoAdapter(chain)),
  cosmos: async () => (await import('./cosmos/cosmos.ts')).cosmos,
  tron: async () => (await import('./tron/tron.ts')).tron,
  solana: async () => (await import('./solana/solana.ts')).solana,
  xrpl: async () => (await import('./xrpl/xrpl.ts')).xrpl,
  stellar: async () => (await import('./stellar/stellar.ts')).stellar,
  algorand: async () => (await import('./algorand/algorand.ts')).algorand,
  ton: async () => (await import('./ton/ton.ts')).ton,
  near: async () => (await import('./near/near.ts')).near,
  polkadot: async () => (await import('./polkadot/polkadot.ts')).polkadot,
  aptos: async () => (await import('./aptos/aptos.ts')).aptos,
  sui: async () => (await import('./sui/sui.ts')).sui,
  cardano: async () => (await import('./cardano/cardano.ts')).cardano,
  tezos: async () => (await import('./tezos/tezos.ts')).tezos,
};

function loadersOf(chains: readonly ChainName[], load: (chain: ChainName) => Promise<ChainAdapter>) {
  return Object.fromEntries(chains.map((chain) => [chain, () => load(chain)]));
}

const loaded = new Map<ChainName, ChainAdapter>();

/** @throws RangeError for a chain without an adapter */
export async function loadAdapter(chain: ChainName): Promise<ChainAdapter> {
  const known = loaded.get(chain);
  if (known !== undefined) return known;
  const load = LOADERS[chain];
  if (load === undefined) throw new RangeError(`no adapter of ${chain}`);
  const adapter = await load();
  loaded.set(chain, adapter);
  return adapter;
}
