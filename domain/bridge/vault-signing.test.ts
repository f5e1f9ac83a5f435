import { describe, expect, it } from 'vitest';
import type { Vault } from './chains/chain-adapter.ts';
import { custodyFault, isConnected, isVaultOf } from './vault-signing.ts';

const custody = { provider: 'fireblocks', account: '7', asset: 'BTC' };
const vault: Vault = {
  chain: 'bitcoin-segwit',
  network: 'mainnet',
  keys: { scheme: 'multisig-secp256k1', groupKey: '', signerKeys: ['a', 'b', 'c', 'd', 'e'] },
  contract: null,
  token: null,
  decimals: 8,
  custody,
};
const { custody: _, ...native } = vault;

describe('signing modes', () => {
  it('have vaults at providers for custody alone, and wrapped tokens at none', () => {
    const wrapped = { chain: 'exchange' } as const;
    expect([isVaultOf('custody', vault), isVaultOf('native', vault)]).toEqual([true, false]);
    expect([isVaultOf('custody', native), isVaultOf('native', native)]).toEqual([false, true]);
    expect([isVaultOf('custody', wrapped), isVaultOf('native', wrapped)]).toEqual([true, true]);
    expect(isVaultOf('custody', { ...wrapped, custody })).toBe(false);
  });

  it('are connected, of custom where all signers are the organization’s own', () => {
    expect([isConnected('native', false), isConnected('custody', false)]).toEqual([true, true]);
    expect([isConnected('custom', false), isConnected('custom', true)]).toEqual([false, true]);
  });
});

describe('a vault at a custody provider', () => {
  it('is where the provider has addresses of transfers, and five signers approve', () => {
    expect(custodyFault(vault)).toBeNull();
    expect(custodyFault({ ...native, chain: 'solana' })).toBeNull();
    expect(custodyFault({ ...vault, chain: 'exchange' })).toContain('wrapped tokens');
    expect(custodyFault({ ...vault, keys: { ...vault.keys, signerKeys: ['a'] } })).toContain('five keys');
    expect(custodyFault({ ...vault, keys: { ...vault.keys, scheme: 'frost-ed25519' } })).toContain('five keys');
    expect(custodyFault({ ...vault, contract: '0x1' })).toContain('names the token');
  });
});
