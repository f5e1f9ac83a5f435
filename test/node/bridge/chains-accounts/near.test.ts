import { expect, it } from 'vitest';
import type { Vault } from '../../../../domain/bridge/chains/chain-adapter.ts';
import { near } from '../../../../domain/bridge/chains/near/near.ts';
import { COMMITMENT, describeChain, more, stating } from './describe-chain.ts';
import { frostCluster } from './frost-cluster.ts';
import { nearNode } from './near-node.ts';
import { placeAt } from './place-at.ts';

const NEAR = 10n ** 24n;
const home = ({ keys }: Vault) => keys.groupKey;
const vaultOf = (keys: Vault['keys']): Vault => ({
  chain: 'near',
  network: 'mainnet',
  keys,
  contract: null,
  token: null,
  decimals: 24,
});

/** Gas of the simulated chain is the vault's, so what a swept transfer adds is without it. */
describeChain('NEAR', {
  adapter: near,
  vault: vaultOf,
  home,
  node: () => {
    const node = nearNode();
    node.fund('bob.near', 0n);
    return node;
  },
  addresses: ['bob.near', '98793cd91a3f870fb126f66285808c7e094afcfc4eda8a970f6648cdf0dbd6de', 'a-b_c.d.tg'],
  refused: ['bob.testnet', 'Bob.near', 'bob..near', 'bob', '0x52908400098527886E0F7030069857D2E4169EE7', 'x.near '],
  deposit: 25n * NEAR,
  payout: 20n * NEAR,
  refund: { paid: 25n * NEAR - 10n ** 21n },
  funds: 200n * NEAR,
  areDepositsOneSum: true,
  isCoinAlone: true,
  amountMax: 2n ** 128n - 1n,
  lies: [
    ['a block of another height', stating('height', more(-1n)), 'for good'],
    ['a block that is none', stating('block', () => '77'.repeat(32)), 'now'],
    ['a nonce far ahead', stating('nonce', more(2_000n)), 'now'],
  ],
  greedy: (reference) => reference.replace('from=vault', 'from=transfer'),
});

const { keys, sign } = frostCluster();
const vault = vaultOf(keys);
const wanted = { kind: 'payout', commitment: COMMITMENT, to: 'nobody.near', amount: '5', attempt: 1 } as const;

function start() {
  const node = nearNode();
  node.fund(home(vault), 100n * NEAR);
  return { node, view: { vault, transport: node.transport, relayer: null } };
}

it('is void where there is no such account', async () => {
  const { node, view } = start();
  const order = { ...wanted, reference: await near.referenceFor(view, wanted, []) };
  await near.broadcast(view, near.complete(vault, order, sign(near.build(vault, order))));
  expect(await near.statusOf(view, order)).toMatchObject({ state: 'void', confirmations: 0 });
  node.finalize();
  expect(await near.statusOf(view, order)).toMatchObject({ state: 'void', confirmations: 1 });
});

it('is void once it is too old and its nonce was never used, whatever the node has forgotten', async () => {
  const { node, view } = start();
  const order = { ...wanted, reference: await near.referenceFor(view, wanted, []) };
  node.pass(87_600);
  expect(await near.statusOf(view, order)).toEqual({ state: 'unspent' });
  node.pass(1);
  expect(await near.statusOf(view, order)).toMatchObject({ state: 'void' });
  node.forget();
  expect(await near.statusOf(view, order)).toMatchObject({ state: 'void', confirmations: 1_201 });
});

it('is void once it is too old and a later nonce was used, if the node has known all the time since', async () => {
  const { node, view } = start();
  const order = { ...wanted, reference: await near.referenceFor(view, wanted, []) };
  const later = { ...wanted, to: '98793cd91a3f870fb126f66285808c7e094afcfc4eda8a970f6648cdf0dbd6de' } as const;
  const next = { ...later, reference: await near.referenceFor(view, later, [order.reference]) };
  await near.broadcast(view, near.complete(vault, next, sign(near.build(vault, next))));
  node.pass(87_601);
  expect(await near.statusOf(view, order)).toMatchObject({ state: 'void' });
  node.forget();
  await expect(near.statusOf(view, order)).rejects.toThrow('UNKNOWN_BLOCK');
});

it('counts no account that has nothing', async () => {
  const { node, view } = start();
  node.deposit(placeAt(near, vault, COMMITMENT, '5'), 0n);
  expect(await near.deposits(view, COMMITMENT, '')).toEqual([]);
});

it.each(['payout', 'cancel'] as const)('is not paid, nor void, before its %s is final', async (kind) => {
  const { node, view } = start();
  const order = { ...wanted, to: home(vault), reference: await near.referenceFor(view, wanted, []) };
  const sent = { ...order, kind };
  await near.broadcast(view, near.complete(vault, sent, sign(near.build(vault, sent))));
  const state = kind === 'payout' ? 'paid' : 'void';
  expect(await near.statusOf(view, order)).toMatchObject({ state, confirmations: 0 });
  node.finalize();
  expect(await near.statusOf(view, order)).toMatchObject({ state, confirmations: 1 });
});
