import { expect, it } from 'vitest';
import { CHAIN_NAMES, type ChainName } from '../../../domain/bridge/chains/chain-name.ts';
import { loadAdapter } from '../../../domain/bridge/chains/load-adapter.ts';

/** Named, and without an adapter so far. */
const MISSING: readonly ChainName[] = ['tron'];

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
  const having = CHAIN_NAMES.filter((chain) => !MISSING.includes(chain));
  for (const chain of having) {
    const adapter = await loadAdapter(chain);
    expect([chain, adapter.confirmations >= 1]).toEqual([chain, true]);
    expect(adapter.addressOf('nobody’s address', 'mainnet')).toBeNull();
  }
  expect(SPECIFIED.filter((chain) => !having.includes(chain))).toEqual([]);
  expect(having.filter((chain) => chain !== 'exchange' && !SPECIFIED.includes(chain)).length).toBeGreaterThan(10);
});

it('a chain without an adapter is said to have none', async () => {
  for (const chain of MISSING) await expect(loadAdapter(chain)).rejects.toThrow(RangeError);
});
