import { b58DecodePublicKey } from '@taquito/utils';
import { expect, it } from 'vitest';
import type { Vault } from '../../../../domain/bridge/chains/chain-adapter.ts';
import { tezos } from '../../../../domain/bridge/chains/tezos/tezos.ts';
import { tezosAddressOf } from '../../../../domain/bridge/chains/tezos/tezos-payment.ts';
import { COMMITMENT, describeChain } from './describe-chain.ts';
import { frostCluster } from './frost-cluster.ts';
import { tezosNode } from './tezos-node.ts';

const BOB = 'tz1aSkwEot3L2kmUvcoxzjMomb9mvBNuzFK6';
const home = ({ keys }: Vault) => tezosAddressOf(keys.groupKey);
const vaultOf = (keys: Vault['keys']): Vault => ({
  chain: 'tezos',
  network: 'mainnet',
  keys,
  contract: null,
  token: null,
  decimals: 6,
});

describeChain('Tezos', {
  adapter: tezos,
  vault: vaultOf,
  home,
  node: tezosNode,
  addresses: [BOB, tezosAddressOf('07'.repeat(32))],
  refused: [
    `${BOB.slice(0, -1)}7`,
    'KT1PWx2mnDueood7fEmfbBDKx1D9BAnnXitn',
    '0x52908400098527886E0F7030069857D2E4169EE7',
  ],
  deposit: 25_000_000n,
  payout: 20_000_000n,
  refund: { paid: 24_900_000n },
  funds: 200_000_000n,
  amountMax: 2n ** 63n - 1n,
  greedy: (reference) => reference.replace('from=vault', 'from=transfer'),
});

const { keys, sign } = frostCluster();
const vault = vaultOf(keys);
const wanted = { kind: 'payout', commitment: COMMITMENT, to: BOB, amount: '5', attempt: 1 } as const;

function start() {
  const node = tezosNode();
  node.fund(home(vault), 100_000_000n);
  return { node, view: { vault, transport: node.transport, relayer: null } };
}

it('knows the address of a key that is published', () => {
  // Alice, of the sandboxes of Tezos.
  expect(tezosAddressOf(b58DecodePublicKey('edpkvGfYw3LyB1UcCahKQk4rF2tvbMUk8GFiTuMjL75uGXrpvKXhjn').slice(-64))).toBe(
    'tz1VSUr8wwNhLAzempoch5d6hLRiTh8Cjcjb',
  );
});

it('is void once its blocks are over, and its counter is free again', async () => {
  const { node, view } = start();
  const order = { ...wanted, reference: await tezos.referenceFor(view, wanted, []) };
  node.pass(1_000);
  expect(await tezos.statusOf(view, order)).toEqual({ state: 'unspent' });
  node.pass(1);
  expect(await tezos.statusOf(view, order)).toMatchObject({ state: 'void', confirmations: 3 });
  await expect(tezos.broadcast(view, tezos.complete(vault, order, sign(tezos.build(vault, order))))).rejects.toThrow(
    'outdated branch',
  );
  const next = await tezos.referenceFor(view, wanted, [order.reference]);
  expect(next).toContain('counter=101 ');
});

it('is void where the payment failed and used its counter', async () => {
  const { node, view } = start();
  const whole = { ...wanted, amount: '90000000' };
  const order = { ...whole, reference: await tezos.referenceFor(view, whole, []) };
  node.fund(home(vault), 1_000_000n);
  await tezos.broadcast(view, tezos.complete(vault, order, sign(tezos.build(vault, order))));
  expect(await tezos.statusOf(view, order)).toEqual({ state: 'unspent' });
  node.finalize();
  expect(await tezos.statusOf(view, order)).toMatchObject({ state: 'void' });
});

it('knows funds of a transfer after they have been given back', async () => {
  const { node, view } = start();
  node.deposit(await tezos.depositPlace(view, COMMITMENT, '5'), 9_000_000n);
  node.deposit(await tezos.depositPlace(view, COMMITMENT, '5'), 1_000_000n);
  node.finalize();
  const refund = { ...wanted, kind: 'refund', amount: '9000000' } as const;
  const order = { ...refund, reference: await tezos.referenceFor(view, refund, []) };
  await tezos.broadcast(view, tezos.complete(vault, order, sign(tezos.build(vault, order))));
  expect((await tezos.deposits(view, COMMITMENT, '')).map(({ amount }) => amount)).toEqual(['9000000', '1000000']);
  expect(() => tezos.build(vault, { ...order, amount: '100000' })).toThrow(RangeError);
});
