import { Address } from '@ton/core';
import { expect, test } from 'vitest';
import type { Vault } from '../../../domain/bridge/chains/chain-adapter.ts';
import { CHAIN_NAMES } from '../../../domain/bridge/chains/chain-name.ts';
import { isEvmChain } from '../../../domain/bridge/chains/evm/evm-chains.ts';
import { loadAdapter } from '../../../domain/bridge/chains/load-adapter.ts';
import { stellarAccountOf } from '../../../domain/bridge/chains/stellar/stellar-payment.ts';
import { walletAddress } from '../../../domain/bridge/chains/ton/ton-wallet.ts';
import { isKeyOfTwoNetworks } from '../../../domain/bridge/places/vault-identity.ts';
import { COMMITMENT } from '../../node/bridge/chains-accounts/describe-chain.ts';
import { frostCluster } from '../../node/bridge/chains-accounts/frost-cluster.ts';
import { multisigCluster } from '../../node/bridge/chains-accounts/multisig-cluster.ts';

const NETWORKS = ['mainnet', 'testnet', 'local'] as const;
const { keys } = frostCluster();
const PAYEE = frostCluster(5).keys.groupKey;
const EVM = '0x52908400098527886E0F7030069857D2E4169EE7';
const payees = {
  stellar: () => stellarAccountOf(PAYEE),
  cosmos: () => 'cosmos1pkptre7fdkl6gfrzlesjjvhxhlc3r4gmmk8rs6',
  aptos: () => `0x${PAYEE}`,
  ton: (network: Vault['network']) =>
    Address.parse(walletAddress(PAYEE).toRawString()).toString({ bounceable: false, testOnly: network !== 'mainnet' }),
};
const REFERENCES = {
  stellar: 'sequence=5 fee=100 opens=no ledger=5',
  cosmos: 'account=1 sequence=0 fee=5000',
  aptos: 'from=vault sequence=0 unitPrice=100 expires=32503680000',
  ton: 'seqno=0 deploys=yes after=0',
};

test('B-16: what is signed for one network is other bytes on each other one, where the bytes name it', async () => {
  for (const chain of CHAIN_NAMES) {
    const isEvm = isEvmChain(chain);
    if (!isEvm && !(chain in REFERENCES)) continue;
    const adapter = await loadAdapter(chain);
    for (const kind of ['payout', 'cancel'] as const) {
      const bytes = NETWORKS.map((network) => {
        const of = chain === 'cosmos' ? multisigCluster().keys : keys;
        const decimals = chain === 'stellar' ? 7 : 6;
        const vault: Vault = { chain, network, keys: of, contract: isEvm ? EVM : null, token: null, decimals };
        const reference = isEvm ? `0x${'ab'.repeat(32)}@1` : REFERENCES[chain as keyof typeof REFERENCES];
        const to = isEvm ? EVM : payees[chain as keyof typeof payees](network);
        const order = { kind, commitment: COMMITMENT, reference, to, amount: '20000000' } as const;
        return JSON.stringify(adapter.build(vault, order).messages);
      });
      expect([chain, kind, new Set(bytes).size]).toEqual([chain, kind, NETWORKS.length]);
    }
  }
});

test('B-16: the wallet of one key has another address on each network of TON', () => {
  const addresses = NETWORKS.map((network) => walletAddress(keys.groupKey, network).toRawString());
  expect(new Set(addresses).size).toBe(NETWORKS.length);
});

test('B-16: no key serves two networks of a chain, of whatever chain', () => {
  for (const chain of CHAIN_NAMES) {
    const vault: Vault = { chain, network: 'testnet', keys, contract: null, token: null, decimals: 6 };
    expect([chain, isKeyOfTwoNetworks(vault, { ...vault, network: 'mainnet' })]).toEqual([chain, true]);
  }
});
