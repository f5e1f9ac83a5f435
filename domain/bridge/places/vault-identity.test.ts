import { describe, expect, test } from 'vitest';
import type { Vault } from '../chains/chain-adapter.ts';
import { isKeyOfTwoNetworks, isSameFunds, isSameVault } from './vault-identity.ts';

const keys = { scheme: 'frost-secp256k1', groupKey: '02aa', signerKeys: [] } as const;
const other = { ...keys, groupKey: '02bb' };
const vault: Vault = { chain: 'ethereum', network: 'local', keys, contract: '0xAb', token: '0xCd', decimals: 6 };
const keyed: Vault = { ...vault, chain: 'solana', contract: null };
const kept: Vault = { ...keyed, custody: { provider: 'p', account: '7', asset: 'BTC' } };

describe('a vault', () => {
  test('is the same with another key where it is a contract, and another where the key is the vault', () => {
    expect(isSameVault(vault, { ...vault, keys: other })).toBe(true);
    expect(isSameVault(vault, { ...vault, custody: undefined })).toBe(true);
    for (const [one, change] of [
      [keyed, { keys: other }],
      [vault, { contract: '0xAc' }],
      [vault, { token: null }],
      [vault, { decimals: 18 }],
      [vault, { network: 'testnet' }],
      [kept, { custody: { provider: 'p', account: '8', asset: 'BTC' } }],
    ] as const)
      expect([change, isSameVault(one, { ...one, ...change })]).toEqual([change, false]);
  });

  test('has the funds of another where both are one contract, key or account, of one token on one chain', () => {
    expect(isSameFunds(vault, { ...vault, contract: '0xaB', token: '0xcD', decimals: 18, keys: other })).toBe(true);
    expect(isSameFunds(keyed, { ...keyed, decimals: 9 })).toBe(true);
    const zero = `0x${'0'.repeat(40)}`;
    expect(isSameFunds({ ...vault, token: null }, { ...vault, token: zero })).toBe(true);
    expect(isSameFunds({ ...vault, contract: '0x0Ab' }, { ...vault, contract: '0xab' })).toBe(true);
    const wrapped: Vault = { ...vault, chain: 'exchange' };
    expect(isSameFunds({ ...wrapped, token: null }, wrapped)).toBe(true);
    expect(isSameFunds(kept, { ...kept, keys: other })).toBe(true);
    for (const [one, change] of [
      [vault, { contract: '0xAc' }],
      [vault, { token: null }],
      [vault, { chain: 'base' }],
      [keyed, { keys: other }],
      [keyed, { keys: { ...keys, signerKeys: ['02cc'] } }],
      [kept, { custody: { provider: 'q', account: '7', asset: 'BTC' } }],
      [kept, { custody: { provider: 'p', account: '8', asset: 'BTC' } }],
      [kept, { custody: { provider: 'p', account: '7', asset: 'ETH' } }],
    ] as const)
      expect([change, isSameFunds(one, { ...one, ...change })]).toEqual([change, false]);
  });

  test('B-16: has a key that serves one network of its chain', () => {
    const signers = { scheme: 'multisig-secp256k1', groupKey: '', signerKeys: ['02aa', '02bb'] } as const;
    for (const one of [vault, keyed, { ...keyed, keys: signers }, { ...kept, chain: 'xrpl' as const }]) {
      expect(isKeyOfTwoNetworks(one, { ...one, network: 'mainnet' })).toBe(true);
      expect(isKeyOfTwoNetworks(one, { ...one, network: 'mainnet', token: '0xEf', contract: '0xEf' })).toBe(true);
      const capitals = { ...one.keys, groupKey: one.keys.groupKey.toUpperCase() };
      expect(isKeyOfTwoNetworks(one, { ...one, network: 'mainnet', keys: capitals })).toBe(true);
      for (const change of [{}, { network: 'mainnet', chain: 'base' }, { network: 'mainnet', keys: other }] as const)
        expect([change, isKeyOfTwoNetworks(one, { ...one, ...change })]).toEqual([change, false]);
    }
    const reversed = { ...signers, signerKeys: ['02bb', '02aa'] };
    const five = { ...keyed, keys: signers };
    expect(isKeyOfTwoNetworks(five, { ...five, network: 'mainnet', keys: reversed })).toBe(false);
  });
});
