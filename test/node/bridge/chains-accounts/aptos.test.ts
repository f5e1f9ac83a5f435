import { expect, it } from 'vitest';
import { aptos } from '../../../../domain/bridge/chains/aptos/aptos.ts';
import { aptosAddressOf } from '../../../../domain/bridge/chains/aptos/aptos-payment.ts';
import type { Vault } from '../../../../domain/bridge/chains/chain-adapter.ts';
import { aptosNode } from './aptos-node.ts';
import { changedAnswers } from './changed-answers.ts';
import { COMMITMENT, describeChain } from './describe-chain.ts';
import { frostCluster } from './frost-cluster.ts';

const address = (fill: string) => `0x${fill.repeat(32)}`;
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
  greedy: (reference) => reference.replace(/unitPrice=\d+/, 'unitPrice=1001'),
});

const { keys, sign } = frostCluster();
const vault = vaultOf(keys);
const wanted = { kind: 'payout', commitment: COMMITMENT, to: address('b1'), amount: '5', attempt: 1 } as const;

it('signs for its own network alone', () => {
  const order = { ...wanted, reference: 'from=vault sequence=1 unitPrice=100' };
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

it('does not say that funds are lost which have been given back', async () => {
  const node = aptosNode();
  const view = { vault, transport: node.transport, relayer: null };
  node.deposit(await aptos.depositPlace(view, COMMITMENT, '5'), 9_000_000n);
  const refund = { ...wanted, kind: 'refund', amount: '9000000' } as const;
  const order = { ...refund, reference: await aptos.referenceFor(view, refund, []) };
  await aptos.broadcast(view, aptos.complete(vault, order, sign(aptos.build(vault, order))));
  await expect(aptos.deposits(view, COMMITMENT, '')).rejects.toThrow('has paid already');
  expect(() => aptos.build(vault, { ...order, amount: '500000' })).toThrow(RangeError);
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
