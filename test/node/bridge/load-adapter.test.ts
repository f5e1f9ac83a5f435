import { expect, it } from 'vitest';
import { CHAIN_NAMES, type ChainName } from '../../../domain/bridge/chains/chain-name.ts';
import { loadAdapter } from '../../../domain/bridge/chains/load-adapter.ts';

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
  timeout: 120_000,
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

it('a chain that is none has no adapter', async () => {
  await expect(loadAdapter('moon' as ChainName)).rejects.toThrow(RangeError);
});
