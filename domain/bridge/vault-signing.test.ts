import { describe, expect, it } from 'vitest';
import type { Vault } from './chains/chain-adapter.ts';
import { custodyFault, isOfOneOperator, isVaultOf, signersFault } from './vault-signing.ts';

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

  it('have five signers of others, or one operator where that is stated, and custom never the exchange’s', () => {
    const deployed = { hasOwnSigners: false, isSingleOperator: false, isLocal: false };
    for (const mode of ['native', 'custody'] as const) {
      expect(signersFault({ ...deployed, mode })).toBe('single_operator');
      expect(signersFault({ ...deployed, mode, isSingleOperator: true })).toBeNull();
      expect(signersFault({ ...deployed, mode, isLocal: true })).toBeNull();
      expect(signersFault({ ...deployed, mode, hasOwnSigners: true })).toBeNull();
    }
    for (const signers of [deployed, { ...deployed, isSingleOperator: true }, { ...deployed, isLocal: true }])
      expect(signersFault({ ...signers, mode: 'custom' })).toBe('not_connected');
    expect(signersFault({ ...deployed, mode: 'custom', hasOwnSigners: true })).toBeNull();
  });

  it('are those of one operator but where five others are named and nobody states otherwise', () => {
    expect(isOfOneOperator({ hasOwnSigners: true, isSingleOperator: false })).toBe(false);
    expect(isOfOneOperator({ hasOwnSigners: true, isSingleOperator: true })).toBe(true);
    expect(isOfOneOperator({ hasOwnSigners: false, isSingleOperator: false })).toBe(true);
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
