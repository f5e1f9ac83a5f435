import { ed25519 } from '@noble/curves/ed25519.js';
import { address, getAddressEncoder, getProgramDerivedAddress } from '@solana/kit';
import { expect, it } from 'vitest';
import { RpcRefusal, type Vault } from '../../../../domain/bridge/chains/chain-adapter.ts';
import { nonceOf } from '../../../../domain/bridge/chains/solana/nonce-accounts.ts';
import { solana } from '../../../../domain/bridge/chains/solana/solana.ts';
import {
  addressBytes,
  addressFrom,
  associatedTokenAccount,
} from '../../../../domain/bridge/chains/solana/solana-programs.ts';
import { COMMITMENT, describeChain } from './describe-chain.ts';
import { frostCluster } from './frost-cluster.ts';
import { solanaNode } from './solana-node.ts';

const MINT = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const RELAYER = `0x${'11'.repeat(32)}`;
const relayer = addressFrom(ed25519.getPublicKey(Buffer.from('11'.repeat(32), 'hex')));
const home = ({ keys }: Vault) => addressFrom(Buffer.from(keys.groupKey, 'hex'));
const wallet = (seed: number) => addressFrom(ed25519.getPublicKey(new Uint8Array(32).fill(seed)));

const vaultOf =
  (token: string | null) =>
  (keys: Vault['keys']): Vault => ({
    chain: 'solana',
    network: 'mainnet',
    keys,
    contract: null,
    token,
    decimals: token === null ? 9 : 6,
  });

function nodeOf(token: string | null) {
  const node = solanaNode(token);
  node.fundSol(relayer, 100_000_000n);
  return node;
}

const shared = {
  adapter: solana,
  home,
  relayer: RELAYER,
  addresses: [wallet(1), wallet(2)] as const,
  refused: [
    '0x52908400098527886E0F7030069857D2E4169EE7',
    'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh',
    // A token account, which is nobody's wallet.
    associatedTokenAccount(wallet(1), address(MINT)),
    `0${wallet(1).slice(1)}`,
  ],
  amountMax: 2n ** 64n - 1n,
  referenceTries: 3,
  wrongMemos: (commitment: string) => [
    null,
    commitment.slice(1),
    ` ${commitment}`,
    `${commitment}\n${'a5'.repeat(32)}`,
  ],
  greedy: (reference: string) => reference.replace(/unitPrice=\d+/, 'unitPrice=1000001'),
};

describeChain('Solana', {
  ...shared,
  vault: vaultOf(null),
  node: () => nodeOf(null),
  deposit: 2_000_000_000n,
  payout: 1_500_000_000n,
  funds: 10_000_000_000n,
});

describeChain('Solana tokens', {
  ...shared,
  vault: vaultOf(MINT),
  node: () => nodeOf(MINT),
  deposit: 2_000_000n,
  payout: 1_500_000n,
  funds: 10_000_000n,
});

it('derives token accounts as the library does', async () => {
  for (let seed = 1; seed <= 20; seed += 1) {
    const owner = wallet(seed);
    const [expected] = await getProgramDerivedAddress({
      programAddress: address('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL'),
      seeds: [owner, 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', MINT].map((part) =>
        getAddressEncoder().encode(address(part)),
      ),
    });
    expect(associatedTokenAccount(owner, address(MINT))).toBe(expected);
  }
});

it('is void where the payment failed and its nonce is used', async () => {
  const { keys, sign } = frostCluster();
  const vault = vaultOf(null)(keys);
  const node = nodeOf(null);
  node.fund(home(vault), 10_000_000_000n);
  const view = { vault, transport: node.transport, relayer: RELAYER };
  const order = { kind: 'payout', commitment: COMMITMENT, to: wallet(1), amount: '5000000000' } as const;
  await solana.referenceFor(view, { ...order, attempt: 1 }, []).catch(() => null);
  const whole = { ...order, reference: await solana.referenceFor(view, { ...order, attempt: 1 }, []) };
  node.fund(home(vault), -9_000_000_000n);
  await solana.broadcast(view, solana.complete(vault, whole, sign(solana.build(vault, whole))));
  expect(await solana.statusOf(view, whole)).toMatchObject({ state: 'void', confirmations: 1 });
});

it('does not take a block for a nonce', async () => {
  const { keys } = frostCluster();
  const vault = vaultOf(null)(keys);
  const node = nodeOf(null);
  node.fund(home(vault), 10_000_000_000n);
  const view = { vault, transport: node.transport, relayer: RELAYER };
  const order = { kind: 'payout', commitment: COMMITMENT, to: wallet(1), amount: '5' } as const;
  await solana.referenceFor(view, { ...order, attempt: 1 }, []).catch(() => null);
  const reference = await solana.referenceFor(view, { ...order, attempt: 1 }, []);
  const forged = reference.replace(/ nonce=\w+/, ` nonce=${wallet(9)}`);
  await expect(solana.statusOf(view, { ...order, reference: forged })).rejects.toThrow('no transaction is known');
});

it('finds a deposit behind a transaction of a version that it cannot read', async () => {
  const { keys } = frostCluster();
  const vault = vaultOf(null)(keys);
  const node = nodeOf(null);
  const place = await solana.depositPlace({ vault, transport: node.transport, relayer: null }, COMMITMENT, '5');
  node.deposit(place, 5n);
  node.deposit(place, 6n);
  let isFirst = true;
  const rpc = async (method: string, params: unknown) => {
    if (method !== 'getTransaction' || !isFirst) return node.transport.rpc(method, params);
    isFirst = false;
    throw new RpcRefusal(-32015, 'Transaction version (1) is not supported by the requesting client');
  };
  const found = await solana.deposits({ vault, transport: { ...node.transport, rpc }, relayer: null }, COMMITMENT, '');
  expect(found.map(({ amount }) => amount)).toEqual(['6']);
});

it('knows a nonce account of its own authority alone', () => {
  const data = Buffer.alloc(80);
  data.writeUInt32LE(1, 0);
  data.writeUInt32LE(1, 4);
  data.set(addressBytes(wallet(1)), 8);
  data.set(addressBytes(wallet(5)), 40);
  expect(nonceOf(data, wallet(1))).toBe(wallet(5));
  expect(nonceOf(data, wallet(2))).toBeNull();
  expect(nonceOf(data.subarray(1), wallet(1))).toBeNull();
  data.writeUInt32LE(0, 4);
  expect(nonceOf(data, wallet(1))).toBeNull();
});

it('needs a relayer for its nonce accounts', async () => {
  const { keys } = frostCluster();
  const vault = vaultOf(null)(keys);
  const node = nodeOf(null);
  node.fund(home(vault), 10_000_000_000n);
  const order = { kind: 'payout', commitment: COMMITMENT, to: wallet(1), amount: '5', attempt: 1 } as const;
  await expect(solana.referenceFor({ vault, transport: node.transport, relayer: null }, order, [])).rejects.toThrow(
    'relayer',
  );
});
