import { b58DecodePublicKey } from '@taquito/utils';
import { expect, it } from 'vitest';
import type { Vault } from '../../../../domain/bridge/chains/chain-adapter.ts';
import { tezos } from '../../../../domain/bridge/chains/tezos/tezos.ts';
import { tezosAddressOf } from '../../../../domain/bridge/chains/tezos/tezos-payment.ts';
import { type AnswerChanges, changedAnswers } from './changed-answers.ts';
import { COMMITMENT, describeChain, more, stating } from './describe-chain.ts';
import { frostCluster } from './frost-cluster.ts';
import { PAYERS } from './payers.ts';
import { placeAt } from './place-at.ts';
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
  ...PAYERS.tezos,
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
  isCoinAlone: true,
  amountMax: 2n ** 63n - 1n,
  placeMax: 2n ** 53n - 1n,
  lies: [
    ['a block of another level', stating('level', more(-1n)), 'for good'],
    ['a counter far ahead', stating('counter', more(2_000n)), 'now'],
  ],
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

it('takes no payment of somebody else for a deposit, whatever an indexer was asked for', async () => {
  const { node, view } = start();
  node.payBy?.(BOB);
  node.deposit(await tezos.depositPlace(view, COMMITMENT, '5'), 5n);
  node.finalize();
  const get = (path: string) => view.transport.get(path.replace(/&sender=[^&]*/, ''));
  const careless = { ...view, transport: { ...view.transport, get } };
  expect(await tezos.deposits(careless, COMMITMENT, PAYERS.tezos.payer)).toEqual([]);
  expect(await tezos.deposits(careless, COMMITMENT, BOB)).toHaveLength(1);
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
  expect((await tezos.deposits(view, COMMITMENT, PAYERS.tezos.payer)).map(({ amount }) => amount)).toEqual([
    '9000000',
    '1000000',
  ]);
  expect(() => tezos.build(vault, { ...order, amount: '100000' })).toThrow(RangeError);
});

it.each<[string, AnswerChanges]>([
  ['that failed', { '0.status': 'failed' }],
  ['that another account got', { '0.target.address': BOB }],
  ['of nothing', { '0.amount': 0 }],
])('counts no deposit %s', async (_, changes) => {
  const { node, view } = start();
  node.deposit(placeAt(tezos, vault, COMMITMENT, '5'), 9_000_000n);
  expect(await tezos.deposits(view, COMMITMENT, PAYERS.tezos.payer)).toMatchObject([{ confirmations: 1 }]);
  const transport = changedAnswers(node.transport, '/tzkt/', changes);
  expect(await tezos.deposits({ ...view, transport }, COMMITMENT, PAYERS.tezos.payer)).toEqual([]);
});

it.each<[string, AnswerChanges, string]>([
  ['to another account', { '0.target.address': home(vault) }, 'void'],
  ['of another amount', { '0.amount': 4 }, 'void'],
  ['that failed', { '0.status': 'failed' }, 'void'],
  ['of another account', { '0.sender.address': BOB }, 'no operation is known'],
  ['with another counter', { '0.counter': 9 }, 'no operation is known'],
  ['that a contract made', { '0.initiator': { address: BOB } }, 'no operation is known'],
])('takes no operation %s for its payment', async (_, changes, said) => {
  const { node, view } = start();
  const order = { ...wanted, reference: await tezos.referenceFor(view, wanted, []) };
  await tezos.broadcast(view, tezos.complete(vault, order, sign(tezos.build(vault, order))));
  node.finalize();
  expect(await tezos.statusOf(view, order)).toMatchObject({ state: 'paid', confirmations: 3 });
  const transport = changedAnswers(node.transport, '/tzkt/', changes);
  const status = tezos.statusOf({ ...view, transport }, order);
  if (said === 'void') expect(await status).toMatchObject({ state: 'void' });
  else await expect(status).rejects.toThrow(said);
});

it('is void where the counter was used after its time, though by the same payment', async () => {
  const { node, view } = start();
  const first = { ...wanted, reference: await tezos.referenceFor(view, wanted, []) };
  node.pass(1_001);
  const second = { ...wanted, reference: await tezos.referenceFor(view, wanted, [first.reference]) };
  expect(second.reference).toContain('counter=101 ');
  await tezos.broadcast(view, tezos.complete(vault, second, sign(tezos.build(vault, second))));
  node.finalize();
  expect(await tezos.statusOf(view, second)).toMatchObject({ state: 'paid' });
  expect(await tezos.statusOf(view, first)).toMatchObject({ state: 'void' });
});

it('refuses a node of another network', async () => {
  const { node, view } = start();
  const transport = changedAnswers(node.transport, '/header', { chain_id: 'NetXnHfVqm9iesp' });
  await expect(tezos.referenceFor({ ...view, transport }, wanted, [])).rejects.toThrow('another network');
});
