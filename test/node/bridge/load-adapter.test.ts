import { expect, it } from 'vitest';
import { MisstatedVault, type Vault } from '../../../domain/bridge/chains/chain-adapter.ts';
import { chainCalls } from '../../../domain/bridge/chains/chain-calls.ts';
import { CHAIN_NAMES, type ChainName } from '../../../domain/bridge/chains/chain-name.ts';
import { loadAdapter } from '../../../domain/bridge/chains/load-adapter.ts';

const nobody = async (): Promise<unknown> => {
  throw new Error('no node is asked');
};
const NO_NODE = { rpc: nobody, get: nobody, post: nobody };
const SPECIFIED: readonly ChainName[] = [
  'bitcoin-legacy',
  'bitcoin-segwit',
  'bitcoin-taproot',
  'ethereum',
  'arbitrum',
  'optimism',
  'base',
  'polygon',
  'bsc',
  'solana',
  'cosmos',
  'polkadot',
  'ton',
  'xrpl',
];

it('there is an adapter of each chain that the bridge has to have, and of more than ten others', {
  timeout: 400_000,
}, async () => {
  for (const chain of CHAIN_NAMES) {
    const adapter = await loadAdapter(chain);
    expect([chain, adapter.confirmations >= 1]).toEqual([chain, true]);
    expect(adapter.addressOf('nobody’s address', 'mainnet')).toBeNull();
  }
  expect(SPECIFIED.filter((chain) => !CHAIN_NAMES.includes(chain))).toEqual([]);
  const others = CHAIN_NAMES.filter((chain) => chain !== 'exchange' && !SPECIFIED.includes(chain));
  expect(others.length).toBeGreaterThan(10);
});

it('no chain shows a place, or counts payments, for a vault whose key is none', { timeout: 400_000 }, async () => {
  for (const chain of CHAIN_NAMES) {
    const adapter = await loadAdapter(chain);
    for (const groupKey of ['', '00', '0']) {
      const keys = { scheme: adapter.scheme, groupKey, signerKeys: [] };
      const vault: Vault = { chain, network: 'mainnet', keys, contract: null, token: null, decimals: 6 };
      expect(() => adapter.countsBy(vault), chain).toThrow();
      const view = { vault, transport: NO_NODE, relayer: null };
      await expect((async () => adapter.depositPlace(view, '5a'.repeat(32), '5000000'))(), chain).rejects.toThrow();
      const calls = chainCalls({ transportOf: () => NO_NODE, custodyOf: () => NO_NODE, relayer: null });
      await expect(calls.requireVault(vault), chain).rejects.toBeInstanceOf(MisstatedVault);
    }
  }
});

it('a chain that is none has no adapter', async () => {
  await expect(loadAdapter('moon' as ChainName)).rejects.toThrow(RangeError);
});
