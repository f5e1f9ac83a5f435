import { ed25519 } from '@noble/curves/ed25519.js';
import { describe, expect, test } from 'vitest';
import { algorandAddressOf } from '../../../domain/bridge/chains/algorand/algorand-payment.ts';
import type { ClusterKeys, PaymentOrder, Vault } from '../../../domain/bridge/chains/chain-adapter.ts';
import { chainCalls } from '../../../domain/bridge/chains/chain-calls.ts';
import { CHAIN_NAMES, type ChainName } from '../../../domain/bridge/chains/chain-name.ts';
import { cosmosHome } from '../../../domain/bridge/chains/cosmos/cosmos-payment.ts';
import { isEvmChain } from '../../../domain/bridge/chains/evm/evm-chains.ts';
import { hasTokens } from '../../../domain/bridge/chains/has-tokens.ts';
import { loadAdapter } from '../../../domain/bridge/chains/load-adapter.ts';
import { addressFrom } from '../../../domain/bridge/chains/solana/solana-programs.ts';
import { stellarAccountOf } from '../../../domain/bridge/chains/stellar/stellar-payment.ts';
import { xrplAccountOf } from '../../../domain/bridge/chains/xrpl/xrpl-address.ts';
import { portsOf } from '../../../durable-objects/transfer/ports-of.ts';
import { algorandNode } from '../../node/bridge/chains-accounts/algorand-node.ts';
import { cosmosNode } from '../../node/bridge/chains-accounts/cosmos-node.ts';
import { COMMITMENT, OTHER_COMMITMENT, type SimulatedNode } from '../../node/bridge/chains-accounts/describe-chain.ts';
import { frostCluster } from '../../node/bridge/chains-accounts/frost-cluster.ts';
import { multisigCluster } from '../../node/bridge/chains-accounts/multisig-cluster.ts';
import { solanaNode } from '../../node/bridge/chains-accounts/solana-node.ts';
import { stellarNode } from '../../node/bridge/chains-accounts/stellar-node.ts';
import { xrplNode } from '../../node/bridge/chains-accounts/xrpl-node.ts';

const { referencesOf } = chainCalls({
  transportOf: () => {
    throw new Error('no node is asked');
  },
  custodyOf: () => {
    throw new Error('no provider is asked');
  },
  relayer: null,
});

const cluster = frostCluster().keys;
const multisig = multisigCluster().keys;
const TRON = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
const EVM = '0x52908400098527886E0F7030069857D2E4169EE7';
const TOKENS: Partial<Record<ChainName, string>> = {
  xrpl: 'USD.rvYAfWj5gh67oV6fW32ZzP3Aw4Eubs59B',
  stellar: `USDC:${stellarAccountOf(frostCluster(3).keys.groupKey)}`,
  algorand: '31566704',
  solana: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  cosmos: 'ibc/F663521BF1836B00F5F177680F74BFB9A8B5654A694D0D2BC249E03CF2509013',
  tron: 'TXLAQ63Xg1NAzckPwKHvzw7CSEmLMEqcdj',
  cardano: `${'ab'.repeat(28)}.${'cd'.repeat(4)}`,
};

async function keysOf(chain: ChainName, isOld = false): Promise<ClusterKeys> {
  const { scheme } = await loadAdapter(chain);
  if (scheme === 'frost-ed25519') return isOld ? frostCluster(11).keys : cluster;
  if (scheme === 'multisig-secp256k1')
    return isOld ? { ...multisig, signerKeys: multisig.signerKeys.toReversed() } : multisig;
  const point = isOld ? '22' : '11';
  return { scheme, groupKey: scheme === 'frost-taproot' ? point.repeat(32) : `02${point.repeat(32)}`, signerKeys: [] };
}

async function vaultOf(chain: ChainName, change: Partial<Vault> = {}): Promise<Vault> {
  const contract = isEvmChain(chain) ? EVM : chain === 'tron' ? TRON : null;
  return { chain, network: 'mainnet', keys: await keysOf(chain), contract, token: null, decimals: 6, ...change };
}

describe('references of payments', () => {
  test('B-03: are chosen by the account that a chain counts by: one for all tokens of it, but on Cardano, where each token has an address of its own', async () => {
    for (const chain of CHAIN_NAMES) {
      if (chain === 'exchange' || !hasTokens(chain)) continue;
      const token = isEvmChain(chain) ? '0xdAC17F958D2ee523a2206206994597C13D831ec7' : TOKENS[chain];
      expect(token, chain).toBeDefined();
      const [coin, other] = [await vaultOf(chain), await vaultOf(chain, { token: token as string })];
      const isOne = (await referencesOf(coin)) === (await referencesOf(other));
      expect([chain, isOne]).toEqual([chain, chain !== 'cardano']);
    }
  });

  test('B-03: of two chains, networks, keys or accounts of a provider never meet, and a rotation leaves the old key’s behind', async () => {
    const names = new Map<string, string>();
    const told = async (vault: Vault, what: string) => {
      const name = await referencesOf(vault);
      expect(names.get(name), `${what} meets ${names.get(name)}`).toBeUndefined();
      names.set(name, what);
    };
    for (const chain of CHAIN_NAMES) {
      const vault = await vaultOf(chain);
      await told(vault, `${chain}`);
      await told({ ...vault, network: 'testnet' }, `${chain} on a test network`);
      if (vault.contract === null) await told({ ...vault, keys: await keysOf(chain, true) }, `the old key on ${chain}`);
    }
    const provider = { provider: 'p', account: '7', asset: 'BTC' };
    const kept = await vaultOf('bitcoin-taproot', { keys: multisig });
    for (const change of [{}, { provider: 'q' }, { account: '8' }, { asset: 'BTC_TEST' }])
      await told({ ...kept, custody: { ...provider, ...change } }, JSON.stringify(change));
  });

  test('B-03: of a contract are the same in whatever capitals it is stated, and of a vault without keys there are none', async () => {
    const vault = await vaultOf('ethereum');
    expect(await referencesOf({ ...vault, contract: EVM.toLowerCase() })).toBe(await referencesOf(vault));
    const keyless = { ...cluster, groupKey: '' };
    for (const chain of ['stellar', 'near', 'ton'] as const)
      expect(await referencesOf(await vaultOf(chain, { keys: keyless }))).toMatch(new RegExp(`^${chain}/mainnet/\\[`));
  });

  test('B-03: a transfer asks the object of its organization and that account', async () => {
    const asked: unknown[] = [];
    const env = {
      CHAINS: {
        ask: async (call: string, args: unknown[]) => {
          asked.push([call, args]);
          return { ok: true, value: 'xrpl/mainnet/rAccount' };
        },
      },
      CHAIN_WATCHER: { getByName: (name: string) => ({ name }) },
    } as unknown as Env;
    const vault = await vaultOf('xrpl');
    expect(await portsOf(env, 'acme').watcher(vault)).toEqual({ name: 'acme/xrpl/mainnet/rAccount' });
    expect(asked).toEqual([['referencesOf', [vault]]]);
  });
});

interface Case {
  readonly chain: ChainName;
  readonly node: () => SimulatedNode;
  readonly home: (vault: Vault) => string;
  readonly to: string;
  readonly decimals: number;
  readonly relayer?: string;
}

/** Solana makes a nonce account for each payment at a time, and asks to be asked again. */
const TRIES = 3;

const RELAYER = Buffer.from('11'.repeat(32), 'hex');
const bytesOf = (hex: string) => Uint8Array.from(Buffer.from(hex, 'hex'));
const walletOf = (key: Uint8Array) => addressFrom(key);
const ISSUER = 'rvYAfWj5gh67oV6fW32ZzP3Aw4Eubs59B';
const CASES: readonly Case[] = [
  {
    chain: 'xrpl',
    node: () => xrplNode({ currency: 'USD', issuer: ISSUER }),
    home: ({ keys }) => xrplAccountOf(keys.groupKey),
    to: 'rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe',
    decimals: 6,
  },
  {
    chain: 'stellar',
    node: () => stellarNode({ code: 'USDC', issuer: stellarAccountOf(frostCluster(3).keys.groupKey) }),
    home: ({ keys }) => stellarAccountOf(keys.groupKey),
    to: stellarAccountOf(frostCluster(5).keys.groupKey),
    decimals: 7,
  },
  {
    chain: 'cosmos',
    node: () => cosmosNode(TOKENS.cosmos),
    home: cosmosHome,
    to: 'cosmos1pkptre7fdkl6gfrzlesjjvhxhlc3r4gmmk8rs6',
    decimals: 6,
  },
  {
    chain: 'algorand',
    node: () => algorandNode(31_566_704n),
    home: ({ keys }) => algorandAddressOf(keys.groupKey),
    to: algorandAddressOf(frostCluster(5).keys.groupKey),
    decimals: 6,
  },
  {
    chain: 'solana',
    node: () => {
      const node = solanaNode(TOKENS.solana as string);
      node.fundSol(walletOf(ed25519.getPublicKey(RELAYER)), 100_000_000n);
      return node;
    },
    home: ({ keys }) => walletOf(bytesOf(keys.groupKey)),
    to: walletOf(bytesOf(frostCluster(5).keys.groupKey)),
    decimals: 6,
    relayer: `0x${RELAYER.toString('hex')}`,
  },
];

describe.each(CASES)('on $chain', ({ chain, node: made, home, to, decimals, relayer = null }) => {
  test('B-03: coin and token of one key are paid out at the same moment, each by a reference of its own', async () => {
    const adapter = await loadAdapter(chain);
    const { sign } = adapter.scheme === 'multisig-secp256k1' ? multisigCluster() : frostCluster();
    const vaults = [null, TOKENS[chain] as string].map((token) => vaultOf(chain, { token, decimals }));
    const [coin, token] = (await Promise.all(vaults)) as [Vault, Vault];
    const node = made();
    node.fund(home(coin), 100_000_000n);
    if (chain === 'stellar' || chain === 'solana') node.fund(to, 100_000_000n);
    const viewOf = (vault: Vault) => ({ vault, transport: node.transport, relayer });
    const taken = new Map<string, string[]>();
    const payments: [Vault, PaymentOrder][] = [];
    for (const [vault, commitment] of [
      [coin, COMMITMENT],
      [token, OTHER_COMMITMENT],
    ] as const) {
      const order = { kind: 'payout', commitment, to, amount: chain === 'solana' ? '2000000' : '2000' } as const;
      const known = taken.get(await referencesOf(vault)) ?? [];
      const ask = () => adapter.referenceFor(viewOf(vault), { ...order, attempt: 1 }, known);
      let reference = await ask().catch(() => null);
      for (let tries = 1; reference === null && tries < TRIES; tries += 1) reference = await ask().catch(() => null);
      if (reference === null) throw new Error('no reference was given');
      taken.set(await referencesOf(vault), [...known, reference]);
      payments.push([vault, { ...order, reference }]);
    }
    for (const [vault, payment] of payments)
      await adapter.broadcast(viewOf(vault), adapter.complete(vault, payment, sign(adapter.build(vault, payment))));
    node.finalize();
    const states = await Promise.all(payments.map(([vault, payment]) => adapter.statusOf(viewOf(vault), payment)));
    expect(states.map(({ state }) => state)).toEqual(['paid', 'paid']);
  });
});
