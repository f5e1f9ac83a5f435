import { expect, it } from 'vitest';
import { aptos } from '../../../../domain/bridge/chains/aptos/aptos.ts';
import { aptosAddressOf } from '../../../../domain/bridge/chains/aptos/aptos-payment.ts';
import type { ChainTransport, ChainView, PaymentOrder, Vault } from '../../../../domain/bridge/chains/chain-adapter.ts';
import { aptosNode } from './aptos-node.ts';
import { changedAnswers } from './changed-answers.ts';
import { COMMITMENT, describeChain, more, stating } from './describe-chain.ts';
import { frostCluster } from './frost-cluster.ts';

const address = (fill: string) => `0x${fill.repeat(31)}5e`;
const home = ({ keys }: Vault) => aptosAddressOf(keys.groupKey);
const vaultOf = (keys: Vault['keys']): Vault => ({
  chain: 'aptos',
  network: 'mainnet',
  keys,
  contract: null,
  token: null,
  decimals: 8,
});

describeChain('Aptos', {
  adapter: aptos,
  vault: vaultOf,
  home,
  node: aptosNode,
  addresses: [address('b1'), address('b2')],
  refused: ['0x1', address('00'), address('B1'), 'b1'.repeat(32), '0x52908400098527886E0F7030069857D2E4169EE7'],
  deposit: 25_000_000n,
  payout: 20_000_000n,
  refund: { paid: 25_000_000n - 500_000n },
  funds: 200_000_000n,
  areDepositsOneSum: true,
  isCoinAlone: true,
  amountMax: 2n ** 64n - 1n,
  dearest: stating('unitPrice', () => '1000'),
  lies: [
    ['a sequence far ahead', stating('sequence', more(2_000n)), 'now'],
    ['a time after the last', stating('expires', more(1_000n)), 'now'],
  ],
  greedy: (reference) => reference.replace(/unitPrice=\d+/, 'unitPrice=1001'),
});

const { keys, sign } = frostCluster();
const vault = vaultOf(keys);
const wanted = { kind: 'payout', commitment: COMMITMENT, to: address('b1'), amount: '5', attempt: 1 } as const;

it('signs for its own network alone', () => {
  const order = { ...wanted, reference: 'from=vault sequence=1 unitPrice=100 expires=32503680000' };
  expect(aptos.build({ ...vault, network: 'testnet' }, order)).not.toEqual(aptos.build(vault, order));
});

it('is void where the payment failed and used its number', async () => {
  const node = aptosNode();
  node.fund(home(vault), 10_000_000n);
  const view = { vault, transport: node.transport, relayer: null };
  const order = { ...wanted, amount: '9000000', reference: await aptos.referenceFor(view, wanted, []) };
  node.fund(home(vault), 1_000_000n);
  await aptos.broadcast(view, aptos.complete(vault, order, sign(aptos.build(vault, order))));
  expect(await aptos.statusOf(view, order)).toMatchObject({ state: 'void' });
});

/** A refund that has its reference, and is not handed in. */
async function refunding() {
  const node = aptosNode();
  const view: ChainView = { vault, transport: node.transport, relayer: null };
  node.deposit(await aptos.depositPlace(view, COMMITMENT, '5'), 9_000_000n);
  const refund = { ...wanted, kind: 'refund', amount: '9000000' } as const;
  const order: PaymentOrder = { ...refund, reference: await aptos.referenceFor(view, refund, []) };
  const handIn = () => aptos.broadcast(view, aptos.complete(vault, order, sign(aptos.build(vault, order))));
  return { node, view, refund, order, handIn };
}

/** A node that is asked for one thing answers something else. */
const answering = (
  { transport }: ChainView,
  asked: (path: string) => boolean,
  answer: () => unknown,
): ChainTransport => ({
  ...transport,
  get: async (path) => (asked(path) ? answer() : transport.get(path)),
});

it('builds no refund that its fee would eat', async () => {
  const { order } = await refunding();
  expect(() => aptos.build(vault, { ...order, amount: '500000' })).toThrow(RangeError);
  expect(() => aptos.build(vault, { ...order, amount: '500001' })).not.toThrow();
});

it('lets a refund land for a day, and its number is free again', async () => {
  const { node, view, refund, order, handIn } = await refunding();
  node.pass(86_399);
  expect(await aptos.statusOf(view, order)).toEqual({ state: 'unspent' });
  node.pass(1);
  expect(await aptos.statusOf(view, order)).toMatchObject({ state: 'void', confirmations: 1 });
  await expect(handIn()).rejects.toThrow('TRANSACTION_EXPIRED');
  const next = await aptos.referenceFor(view, refund, []);
  expect(next).toContain('sequence=0 ');
  expect(next).not.toBe(order.reference);
});

it('lets a refund land at the last moment of its day, which is paid however late it is looked for', async () => {
  const { node, view, order, handIn } = await refunding();
  node.pass(86_399);
  await handIn();
  node.pass(86_400);
  expect(await aptos.statusOf(view, order)).toMatchObject({ state: 'paid' });
});

it('lets what the vault pays never lapse', async () => {
  const node = aptosNode();
  node.fund(home(vault), 10_000_000n);
  const view = { vault, transport: node.transport, relayer: null };
  const order = { ...wanted, reference: await aptos.referenceFor(view, wanted, []) };
  node.pass(10 * 366 * 86_400);
  expect(await aptos.statusOf(view, order)).toEqual({ state: 'unspent' });
});

it('takes no number for unused that a node says nothing of, or that was used by then', async () => {
  const { node, view, order, handIn } = await refunding();
  const ahead = { ledger_version: '999999', ledger_timestamp: '1900000000000000' };
  const isLedger = (path: string) => path === '/v1';
  const behind = answering(view, isLedger, () => ahead);
  await expect(aptos.statusOf({ ...view, transport: behind }, order)).rejects.toThrow('version_not_found');
  await handIn();
  node.pass(86_400);
  const isNewest = (path: string) => /^\/v1\/accounts\/\w+$/.test(path);
  const lagging = answering(view, isNewest, () => ({ sequence_number: '0' }));
  expect(await aptos.statusOf({ ...view, transport: lagging }, order)).toEqual({ state: 'unspent' });
});

it('takes no transaction of another number, nor one that failed, for its payment', async () => {
  const node = aptosNode();
  node.fund(home(vault), 10_000_000n);
  const view = { vault, transport: node.transport, relayer: null };
  const order = { ...wanted, reference: await aptos.referenceFor(view, wanted, []) };
  await aptos.broadcast(view, aptos.complete(vault, order, sign(aptos.build(vault, order))));
  expect(await aptos.statusOf(view, order)).toMatchObject({ state: 'paid' });
  const failed = changedAnswers(node.transport, '/transactions', { '0.success': false });
  expect(await aptos.statusOf({ ...view, transport: failed }, order)).toMatchObject({ state: 'void' });
  const other = changedAnswers(node.transport, '/transactions', { '0.sequence_number': '7' });
  await expect(aptos.statusOf({ ...view, transport: other }, order)).rejects.toThrow('no transaction is known');
});
