import { expect, test } from 'vitest';
import type { Vault } from '../chains/chain-adapter.ts';
import { vaultFault } from './vault-fault.ts';

const keys = { scheme: 'frost-secp256k1', groupKey: '02aa', signerKeys: [] } as const;
const five = { scheme: 'multisig-secp256k1', groupKey: '', signerKeys: ['a', 'b', 'c', 'd', 'e'] } as const;
const evm: Vault = { chain: 'ethereum', network: 'local', keys, contract: '0xab', token: '0xcd', decimals: 6 };
const coins: Vault = { ...evm, chain: 'bitcoin-segwit', keys: five, contract: null, token: null, decimals: 8 };
const custody = { provider: 'p', account: '7', asset: 'BTC' };

test('a vault says what its chain reads, and nothing else', () => {
  const right: readonly Vault[] = [
    evm,
    { ...evm, token: null, decimals: 18 },
    { ...evm, chain: 'exchange', token: null },
    { ...evm, chain: 'solana', contract: null },
    { ...evm, chain: 'tron', keys: five, contract: 'T' },
    { ...evm, chain: 'cosmos', contract: null, keys: five, token: 'ibc/1' },
    coins,
    { ...coins, custody },
    { ...coins, custody, decimals: 3 },
  ];
  for (const vault of right) expect([vault, vaultFault(vault)]).toEqual([vault, null]);
  const wrong: readonly (readonly [Vault, string])[] = [
    [{ ...evm, contract: null }, 'a contract there'],
    [{ ...evm, chain: 'tron', keys: five, contract: null }, 'an account there'],
    [{ ...coins, contract: 'x' }, 'no contracts'],
    [{ ...coins, decimals: 18 }, '8 decimals'],
    [{ ...evm, token: null }, '18 decimals'],
    [{ ...evm, chain: 'exchange' }, 'its own'],
    [{ ...coins, token: 'x' }, 'no tokens'],
    [{ ...evm, chain: 'near', contract: null }, 'no tokens'],
    [{ ...evm, chain: 'cosmos', contract: null, keys: five, token: 'uatom' }, 'own coin'],
    [{ ...evm, keys: { ...keys, signerKeys: ['a'] } }, 'one of the group'],
    [{ ...coins, keys: { ...five, groupKey: '02aa' } }, 'one of the group'],
    [{ ...evm, keys: { ...keys, groupKey: '' } }, 'not told'],
    [{ ...coins, keys: { ...five, signerKeys: ['a'] } }, 'not told'],
  ];
  for (const [vault, fault] of wrong)
    expect([vault, vaultFault(vault)]).toEqual([vault, expect.stringContaining(fault)]);
});
