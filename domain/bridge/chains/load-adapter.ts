import type { ChainAdapter } from './chain-adapter.ts';
import type { ChainName } from './chain-name.ts';

/** Adapters by chain, each with its libraries when its chain is first used. */
const LOADERS: Readonly<Partial<Record<ChainName, () => Promise<ChainAdapter>>>> = {
  exchange: async () => (await import('./evm/evm-adapter.ts')).evmWrapped('exchange'),
  ...Object.fromEntries(
    (['ethereum', 'arbitrum', 'optimism', 'base', 'polygon', 'bsc', 'avalanche'] as const).map((chain) => [
      chain,
      async () => (await import('./evm/evm-adapter.ts')).evmVault(chain),
    ]),
  ),
};

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
